import { unavailable } from '@tenant-payments/engine/fail.ts';
import type { Peers, Service } from '../service.ts';

export function openPeers(): Peers {
  const open: Service[] = [];
  const away = new Set<string>();
  const refusal = (cell: string) =>
    unavailable(`the database of ${cell} cannot be reached`, 1, 'cell');
  return {
    open,
    away,
    all() {
      for (const cell of away) throw refusal(cell);
      return open;
    },
    at(cell) {
      if (away.has(cell)) throw refusal(cell);
      return open.find((service) => service.cell === cell);
    },
    add: (service) => void open.push(service),
    drop: (service) => void open.splice(open.indexOf(service), 1),
    leave: (cell) => void away.add(cell),
    welcome: (cell) => void away.delete(cell),
  };
}

const codes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL's codes of a server that starts, stops, takes no writes after a failover, or has no connection left.
  '25006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** Whether a database cannot be reached now. One that refuses the login or lacks a right is there. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Error & { code?: string; severity?: string };
  if (code !== undefined && codes.has(code)) return true;
  const isOfServer = severity !== undefined;
  return (
    (!isOfServer && /timeout|connection terminated/i.test(error.message)) || isAway(error.cause)
  );
}
