import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { teamMembersCopy } from '../../../src/catalogue/directory-copies.ts';
import { tableAsOf } from '../../../src/warehouse/clickhouse/as-of.ts';
import { readingSettings } from '../../../src/warehouse/clickhouse/engine-settings.ts';
import { createTable } from '../../../src/warehouse/clickhouse/layout.ts';
import { newestLayout } from '../../../src/warehouse/clickhouse/row-ends.ts';
import { statementFor } from '../../../src/warehouse/clickhouse/statement.ts';
import { type Sql, sql } from '../../../src/warehouse/sql/sql.ts';
import { describeWithClickHouse, type FreshTables, freshTables } from '../../setup/clickhouse.ts';

/** Two shards that are the same tables of one engine: a row that is asked of both is there twice. */
describeWithClickHouse('in a cluster', () => {
  let tables: FreshTables;
  let client: ClickHouseClient;
  let shards: string;
  beforeAll(async () => {
    tables = await freshTables();
    client = createClient({ url: tables.url });
    const database = new URL(tables.url).pathname.slice(1);
    shards = `remote('127.0.0.1,localhost', '${database}', 'team_members', 'default', '', cityHash64(organisation))`;
    for (const query of createTable(teamMembersCopy)) await client.command({ query });
    const values = ['one', 'two', 'three'].map((organisation) => ({
      organisation,
      team_id: 't',
      merged_user_id: 'ada',
      _since: 65_536,
    }));
    await client.insert({ table: 'team_members', values, format: 'JSONEachRow' });
  });
  afterAll(async () => {
    await client.close();
    await tables.drop();
  });

  async function lines(statement: Sql, isOfAll = false): Promise<string[]> {
    const { sql: said, values } = statementFor(statement);
    const query = said.replaceAll('"team_members"', shards);
    // What belongs to the HTTP interface, the engine of the tests does not know.
    const { readonly: _, ...clickhouse_settings } = readingSettings(30, true, { isOfAll });
    const answer = await client.query({ query, query_params: values, format: 'TabSeparatedRaw', clickhouse_settings });
    return (await answer.text()).trim().split('\n');
  }
  const moment = (organisationId: string) => ({ organisationId, change: 1, dead: [], layout: newestLayout });

  test.each(['one', 'two', 'three'])('A statement of organisation %s asks its shard alone', async (organisation) => {
    const all = sql`SELECT organisation FROM ${tableAsOf(teamMembersCopy, moment(organisation))}`;
    expect(await lines(all)).toEqual([organisation]);
    const matching = tableAsOf(teamMembersCopy, moment(organisation), sql`t.team_id = 't'`);
    expect(await lines(sql`SELECT organisation FROM ${matching} AS t`)).toEqual([organisation]);
  });

  test('A statement that is not of one organisation is refused, unless it is said to be of all', async () => {
    const everyone = sql`SELECT organisation FROM "team_members" ORDER BY organisation`;
    const refused = await lines(everyone).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ClickHouseError);
    expect(refused).toMatchObject({ code: '507' });
    expect(await lines(everyone, true)).toEqual(['one', 'one', 'three', 'three', 'two', 'two']);
  });
});
