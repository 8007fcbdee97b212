/** One line of `cli doctor`. */
export interface Finding {
  /** Its part, from a closed list. */
  readonly part: Part;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly what: string;
  /** The way out; null where nothing is to be done. */
  readonly advice: string | null;
}

export const parts = [
  'settings',
  'node',
  'files',
  'disk',
  'ports',
  'address',
  'database',
  'version',
  'role',
  'session',
  'clock',
  'tls',
  'migrations',
  'keys',
  'rails',
] as const;
export type Part = (typeof parts)[number];

export const ok = (part: Part, what: string): Finding => ({
  part,
  state: 'ok',
  what,
  advice: null,
});

export const failed = (part: Part, what: string, advice: string): Finding => ({
  part,
  state: 'failed',
  what,
  advice,
});

export const warning = (part: Part, what: string, advice: string): Finding => ({
  part,
  state: 'warning',
  what,
  advice,
});

/** The first line of an error: no value of a setting stands in it. */
export const saidBy = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split('\n')[0] ?? '';
};

const dayMs = 86_400_000;
/** A certificate is renewed some weeks before its end. */
const soonDays = 21;

/** How long a certificate is still good. */
export function daysLeft(part: Part, whose: string, endsAt: string): Finding {
  const days = Math.floor((Date.parse(endsAt) - Date.now()) / dayMs);
  const what = `the certificate of ${whose} is good for ${days} days`;
  if (days < 0) return failed(part, `the certificate of ${whose} has ended`, 'Renew it now.');
  return days < soonDays ? warning(part, what, 'Renew it.') : ok(part, what);
}
