-- bucketOfDay day
t.value;

-- bucketOfDay week
(t.value - positiveModulo(t.value + 3, 7));

-- bucketOfDay month
(t.value - (toDayOfMonth(toDate32(toInt32(positiveModulo(t.value + 25567, 146097) - 25567))) - 1));

-- bucketOfDay quarter
(t.value - (toInt32(toDate32(toInt32(positiveModulo(t.value + 25567, 146097) - 25567))) - toInt32(toStartOfQuarter(toDate32(toInt32(positiveModulo(t.value + 25567, 146097) - 25567))))));

-- bucketOfDay year
(t.value - (toInt32(toDate32(toInt32(positiveModulo(t.value + 25567, 146097) - 25567))) - toInt32(toStartOfYear(toDate32(toInt32(positiveModulo(t.value + 25567, 146097) - 25567))))));

-- bucket in UTC
(intDiv(t.value - positiveModulo(t.value, 86400), 86400) - positiveModulo(intDiv(t.value - positiveModulo(t.value, 86400), 86400) + 3, 7));

-- bucket where clocks change
intDiv((t.value + CASE WHEN t.value < {p1:Int64} THEN {p2:Int64} ELSE {p3:Int64} END) - positiveModulo((t.value + CASE WHEN t.value < {p1:Int64} THEN {p2:Int64} ELSE {p3:Int64} END), 86400), 86400);

-- count
toFloat64(count());

-- count where
toFloat64(countIf(t.other));

-- countDistinct
toFloat64(uniqExact(t.value));

-- countDistinct where
toFloat64(uniqExactIf(t.value, t.other));

-- sum of whole numbers
coalesce(toFloat64(sumOrNull(toInt128(t.value))), 0);

-- avg of whole numbers
(toFloat64(sumOrNull(toInt128(t.value))) / nullIf(count(t.value), 0));

-- min of whole numbers
toFloat64(minOrNull(t.value));

-- max of whole numbers
toFloat64(maxOrNull(t.value));

-- median of whole numbers
(round(20 * toFloat64(quantileExactInclusiveOrNull(0.5)(t.value))) / 20);

-- p75 of whole numbers
(round(20 * toFloat64(quantileExactInclusiveOrNull(0.75)(t.value))) / 20);

-- p90 of whole numbers
(round(20 * toFloat64(quantileExactInclusiveOrNull(0.9)(t.value))) / 20);

-- p95 of whole numbers
(round(20 * toFloat64(quantileExactInclusiveOrNull(0.95)(t.value))) / 20);

-- sum of numbers
coalesce(CASE WHEN maxOrNull(abs(t.value)) < 1e15 THEN if(abs(sumOrNullIf(toInt128(trunc((t.value * 1e12))) + if(abs((t.value * 1e12) - trunc((t.value * 1e12))) >= 0.5, toInt8(sign((t.value * 1e12))), 0), abs(t.value) < 1e15)) <= 9007199254740992, toFloat64(sumOrNullIf(toInt128(trunc((t.value * 1e12))) + if(abs((t.value * 1e12) - trunc((t.value * 1e12))) >= 0.5, toInt8(sign((t.value * 1e12))), 0), abs(t.value) < 1e15)) / 1e12, toFloat64(intDiv(sumOrNullIf(toInt128(trunc((t.value * 1e12))) + if(abs((t.value * 1e12) - trunc((t.value * 1e12))) >= 0.5, toInt8(sign((t.value * 1e12))), 0), abs(t.value) < 1e15), 1000000000000)) + toFloat64(sumOrNullIf(toInt128(trunc((t.value * 1e12))) + if(abs((t.value * 1e12) - trunc((t.value * 1e12))) >= 0.5, toInt8(sign((t.value * 1e12))), 0), abs(t.value) < 1e15) % 1000000000000) / 1e12) WHEN isFinite(sumOrNull(t.value)) THEN sumOrNull(t.value) END, 0);

-- median of numbers
toFloat64OrNull(printf('%.11e', toFloat64(quantileExactInclusiveOrNull(0.5)(t.value))));

-- max of dates
(toFloat64(maxOrNull(t.value)) * 86400);

-- atRank
toFloat64(arrayElementOrNull(arraySort(groupArray(t.value)), arrayElement({p1:Array(Int64)}, indexOf({p2:Array(Int64)}, toInt64(count(t.value))))));

-- ratio
(t.value / nullIf(t.other, 0));

-- mode
arrayElementOrNull(sumMapIf([assumeNotNull(t.value)], [1], t.value IS NOT NULL).1, indexOf(sumMapIf([assumeNotNull(t.value)], [1], t.value IS NOT NULL).2, arrayMax(sumMapIf([assumeNotNull(t.value)], [1], t.value IS NOT NULL).2)));

-- lowerMedianDay
(quantileExactLowOrNull(0.5)(t.value) - positiveModulo(quantileExactLowOrNull(0.5)(t.value), 86400));

-- number
toFloat64(t.value);

-- contains
(position(lowerUTF8(t.value), {p1:String}) > 0);

-- lastSegment
substringIndex(t.value, '/', -1);

-- withoutSource
replaceRegexpOne(t.value, '^[^:]*:', '');

-- numbered
concat(t.value, '#', toString(t.value));

-- isAmong
(t.value IN {p1:Array(String)});

-- isAmong nothing
false;

-- isAmong more than fits into one value
(t.value IN arrayConcat({p1:Array(String)}, {p2:Array(String)}));

-- isAmongLowerCased
(lowerUTF8(t.value) IN arrayMap(one -> lowerUTF8(one), {p1:Array(String)}));

-- each
SELECT arrayJoin({p1:Array(Int64)}) AS value;

-- eachKeyed
SELECT pair.1 AS value, pair.2 AS key FROM (SELECT arrayJoin(arrayZip({p1:Array(String)}, {p2:Array(String)})) AS pair);

-- listHasAny
hasAny(JSONExtract(ifNull(t.value, '[]'), 'Array(String)'), {p1:Array(String)});

-- listItems
arrayJoin(JSONExtract(ifNull(t.value, '[]'), 'Array(String)'));

-- isSame
t.value IS NOT DISTINCT FROM t.other;

-- withoutMatch
LEFT ANTI JOIN (SELECT 1 AS one) AS z ON z.one = t.one;

-- sortedList
toJSONString(arraySort(groupUniqArray(t.value)));

-- objectList
concat('[', arrayStringConcat(arrayMap(row -> tupleElement(row, 3), arraySort(groupArray(tuple(t.other, t.value, concat('{', '"id":', toJSONString(t.value), ',', '"title":', toJSONString(t.other), '}'))))), ','), ']');

-- nullOf number
CAST(NULL AS Nullable(Float64));

-- nullOf text
CAST(NULL AS Nullable(String));

-- row
toJSONString(tuple(t.value, concat(leftPad(toString(toInt32(toYear(toDate32(toInt32(positiveModulo(t.other + 25567, 146097) - 25567)))) + 400 * intDiv(t.other + 25567 - positiveModulo(t.other + 25567, 146097), 146097)), 4, '0'), formatDateTime(toDate32(toInt32(positiveModulo(t.other + 25567, 146097) - 25567)), '-%m-%d'))));

-- bytesOf
length(ifNull(t.value, ''));

-- cutText
CASE WHEN length(t.value) > {p1:Int64} THEN substringUTF8(t.value, 1, {p1:Int64}) ELSE t.value END;

-- runningSum
sum(t.value) OVER (ROWS UNBOUNDED PRECEDING);

-- rowOrNumber
CASE WHEN t.other THEN t.value ELSE toJSONString(7) END;

-- a table at a moment
(SELECT * FROM "team_members" FINAL WHERE organisation = {p1:String} AND _since < {p2:Int64} AND (_ended = 0 OR _ended >= {p2:Int64}));

-- a table at a moment after lost writers
(SELECT * FROM "team_members" FINAL WHERE organisation = {p1:String} AND _since < {p2:Int64} AND NOT has({p3:Array(Int64)}, toInt64(intDiv(_since, 65536))) AND (_ended = 0 OR _ended >= {p2:Int64} OR has({p3:Array(Int64)}, toInt64(intDiv(_ended, 65536)))));

-- rows of records at a moment
(SELECT * FROM "pull_request_comments" WHERE organisation = {p1:String} AND _since < {p2:Int64});

-- rows of records some of which have ended
(SELECT * FROM "pull_request_comments" WHERE organisation = {p1:String} AND _since < {p2:Int64} AND (_since, _n) NOT IN (SELECT _since, _n FROM ends WHERE organisation = {p1:String} AND of_table = {p3:String} AND _ended < {p2:Int64}));

-- rows of records some of which have ended, after lost writers
(SELECT * FROM "pull_request_comments" WHERE organisation = {p1:String} AND _since < {p2:Int64} AND NOT has({p3:Array(Int64)}, toInt64(intDiv(_since, 65536))) AND (_since, _n) NOT IN (SELECT _since, _n FROM ends WHERE organisation = {p1:String} AND of_table = {p4:String} AND _ended < {p2:Int64} AND NOT has({p3:Array(Int64)}, toInt64(intDiv(_ended, 65536)))));

-- rows of records in the first layout
(SELECT * FROM "pull_request_comments" FINAL WHERE organisation = {p1:String} AND _since < {p2:Int64} AND (_ended = 0 OR _ended >= {p2:Int64}));

-- rows of a table at a moment that match
(SELECT * FROM "team_members" AS t FINAL PREWHERE t.value = {p1:Int64} WHERE organisation = {p2:String} AND _since < {p3:Int64} AND (_ended = 0 OR _ended >= {p3:Int64}));

-- rows of a table within a span of the date that they are sorted by
(SELECT organisation FROM "pull_request_comments" AS t PREWHERE _at >= {p1:Int64} AND _at < {p2:Int64} WHERE organisation = {p3:String} AND _since < {p4:Int64});

-- rows of a table within a span of another date
(SELECT "pr_merged_at" FROM "pull_request_comments" AS t PREWHERE if(isNull("pr_merged_at"), _at, assumeNotNull("pr_merged_at")) >= {p1:Int64} AND if(isNull("pr_merged_at"), _at, assumeNotNull("pr_merged_at")) < {p2:Int64} WHERE organisation = {p3:String} AND _since < {p4:Int64});

-- rows of a table that is sorted by days, within a span of seconds
(SELECT "started_at" FROM "posthook_sessions" AS t PREWHERE "started_at" >= {p1:Int64} AND "started_at" < {p2:Int64} WHERE organisation = {p3:String} AND _since < {p4:Int64});

-- rows of a table within a span of days
(SELECT organisation FROM "posthook_sessions" AS t PREWHERE _at >= {p1:Int32} AND _at <= {p2:Int32} WHERE organisation = {p3:String} AND _since < {p4:Int64});
