import { unavailable } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { QueryConfig, QueryResultRow } from 'pg';

/** No other cell is asked once one took so long to fail. */
const patienceMs = 1_000;

/** Reads what all cells share in `control`. @throws where no cell's login is let in */
export type AnyCell = <Row extends QueryResultRow>(query: QueryConfig) => Promise<Row[]>;

/** Asks the cell that answered last, then the others; remote ones only where a process has no other. */
export function openAnyCell(all: readonly Service[]): AnyCell {
  const beside = all.filter(({ isRemote }) => !isRemote);
  const services = beside.length > 0 ? beside : all;
  let order = services;
  return async <Row extends QueryResultRow>(query: QueryConfig) => {
    const untilMs = performance.now() + patienceMs;
    for (const service of order)
      try {
        return (await service.control.query<Row>(query)).rows;
      } catch (error) {
        order = [...services.filter((other) => other !== service), service];
        if (performance.now() > untilMs) throw error;
      }
    throw unavailable('no cell can be asked', 1, 'cell');
  };
}
