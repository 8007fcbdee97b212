import { hostname } from 'node:os';
import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config/config.ts';
import { version } from './config/version.ts';
import { stderrSink } from './operations/log_sink.ts';

/** How deep a field may lie in what is logged. */
const places = ['', '*.', '*.*.'];
const headers = ['authorization', 'cookie', '["idempotency-key"]'];

/** JSON lines on stderr; stdout is the banner's. Redaction is made from the contract's own lists. */
export function openLog(level: LogLevel): Logger {
  const paths = [...secretFields, ...personalFields, ...headers].flatMap((name) =>
    places.map((place) => (name.startsWith('[') ? `${place.slice(0, -1)}${name}` : place + name)),
  );
  const sink = stderrSink();
  const base = { pid: process.pid, host: hostname(), version };
  const log = pino({ level, base, redact: { paths, censor: '[redacted]' } }, sink);
  sink.onBack((left_out) => log.warn({ left_out }, 'the log could not be written'));
  return log;
}
