/** `1 job`, `3 jobs`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

const abbreviations = new Set(['api', 'csv', 'ein', 'fbo', 'pin', 'qr', 'rtp', 'ssn']);

/** A name of the service in words: `pending_outgoing` as `pending outgoing`, `pin_reset` as `PIN reset`. */
export const inWords = (name: string): string =>
  name
    .split('_')
    .map((word) => (abbreviations.has(word) ? word.toUpperCase() : word))
    .join(' ');

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A length of time in its two largest units: `3 days 4 hours`. */
export function lengthOf(ms: number): string {
  let left = Math.abs(ms);
  const said: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    if (count > 0 && said.length < 2) said.push(counted(count, name));
    left -= count * size;
  }
  return said.join(' ') || 'less than a second';
}
