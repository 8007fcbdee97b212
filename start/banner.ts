import { outdatedAdvice, type SandboxStart } from '../backoffice/tenants/sandbox_file.ts';

/** Everyone's PIN in the sandbox (rules/sandbox#22). */
export const samplePin = '284617';

/** The sample people and shops, as the banner lists them (rules/sandbox#23). */
const people: readonly (readonly [ref: string, name: string, what: string])[] = [
  ['sample-ana', 'Ana Reyes', 'a consumer with $250.00'],
  ['sample-ben', 'Ben Osei', 'a consumer with an empty account'],
  ['sample-cleo', 'Cleo Marsh', 'a consumer who has yet to be onboarded'],
  ['sample-cafe', 'Corner Cafe LLC', 'a shop with a code at its counter'],
  ['sample-books', 'Harbor Books LLC', 'a shop with a request of $18.50'],
];

const row = (label: string, text: string) => `  ${label.padEnd(16)}${text}`;

/** The lines that a ready sandbox prints: all that an integrator needs to begin (rules/sandbox#24). */
export function banner(
  { facts, isOutdated }: SandboxStart,
  sandboxFile: string,
  startedInMs: number,
): string {
  return [
    '',
    `  Tenant Payments sandbox, ready in ${(startedInMs / 1_000).toFixed(1)} s`,
    '',
    row('Base URL', facts.base_url),
    row('Client id', facts.client_id),
    row('Client secret', isOutdated ? 'retired, see below' : facts.client_secret),
    row('Webhook secret', facts.webhook_secret),
    row('Portal', facts.portal_url),
    ...(facts.portal_sign_in_url === null ? [] : [row('Sign in (once)', facts.portal_sign_in_url)]),
    ...(facts.docs_url === null ? [] : [row('Docs', facts.docs_url)]),
    ...(facts.shop_url === null ? [] : [row('Example shop', facts.shop_url)]),
    '',
    ...people.map(([ref, name, what]) => row(ref, `${name}, ${what}; PIN ${samplePin}`)),
    '',
    ...(isOutdated ? [`  ${outdatedAdvice(sandboxFile)}.`, ''] : []),
    `  The same in ${sandboxFile} (the only copy of the secrets). Ctrl-C stops it.`,
    '',
    '',
  ].join('\n');
}
