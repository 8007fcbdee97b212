/**
 * SQL: the key of an advisory lock of a cell, `$1` being the number of what it locks. Locks are those of
 * the whole database, where other cells may have the same tables (rules/engine#32).
 */
export const keyInCell = 'hashtextextended(current_schema(), $1)';

/** SQL: the same of one of many things in a cell, whose id is `$2`. */
export const keyOfOneInCell = "hashtextextended(current_schema() || '.' || $2, $1)";
