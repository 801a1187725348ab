/** Any number will do, as long as every Plumb takes the same. Stores in two schemas of a database have two locks. */
const lockClass = 7_586_234;
export const lockKey = `${lockClass}, hashtext(coalesce(current_schema(), ''))`;
export const isLock = `l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid::bigint = ${lockClass} AND l.objid::bigint = (hashtext(coalesce(current_schema(), ''))::bigint & 4294967295)`;

/**
 * A second lock says which layouts of rows its holder knows. Holders of the first one that do not have it are older. One is
 * not believed to be gone before connections that broke are made again: it may be about to take its lock back.
 */
const layoutLockClass = 7_586_242;
export const shareLayoutLock = `pg_advisory_lock_shared(${layoutLockClass}, hashtext(coalesce(current_schema(), '')))`;
const hasLayoutLock = `EXISTS (SELECT 1 FROM pg_locks k WHERE k.pid = l.pid AND k.locktype = 'advisory'
  AND k.classid::bigint = ${layoutLockClass} AND k.objid = l.objid AND k.database = l.database AND k.granted)`;
const settledSeconds = 5;

/** Whether everyone who holds the lock knows the layouts that this version knows. */
export const areLayoutsKnown = `SELECT NOT EXISTS (SELECT 1 FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE ${isLock} AND (NOT ${hasLayoutLock} OR a.backend_start > now() - interval '${settledSeconds} seconds')) AS known`;
