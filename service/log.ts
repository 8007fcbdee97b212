import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config/config.ts';

/** How deep a field may lie in what is logged. */
const places = ['', '*.', '*.*.'];
const headers = ['authorization', 'cookie', '["idempotency-key"]'];

/** After a line that could not be written, no other is tried for so long. */
const pauseMs = 1_000;

/**
 * A log that cannot be written, since its terminal was closed or its disk is full, costs its lines and nothing
 * else. Pino alone would end the process at the first such line, and then wait for its disk for ever.
 */
function openStderr(): DestinationStream {
  const silent: DestinationStream = { write() {} };
  let current: DestinationStream = open();
  function open(): DestinationStream {
    const stream = pino.destination(2);
    stream.on('error', () => {
      stream.flushSync = () => {};
      // Pino tells of some errors twice.
      if (current !== stream) return;
      current = silent;
      setTimeout(() => {
        current = open();
      }, pauseMs).unref();
    });
    return stream;
  }
  return { write: (line) => current.write(line) };
}

/** JSON lines on stderr; stdout is the banner's. Redaction is made from the contract's own lists. */
export function openLog(level: LogLevel): Logger {
  const paths = [...secretFields, ...personalFields, ...headers].flatMap((name) =>
    places.map((place) => (name.startsWith('[') ? `${place.slice(0, -1)}${name}` : place + name)),
  );
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, openStderr());
}
