import type { DisputeKind } from './rule.ts';

/**
 * Words by which a customer speaks of a transfer that nobody was allowed to make, or of a wrong one, in English and
 * Spanish (rules/disputes#64). They raise an alarm and decide nothing.
 */
const speaksOf: readonly (readonly [DisputeKind, RegExp])[] = [
  [
    'unauthorized_transfer',
    /\b(?:un-?authori[sz]ed|not authori[sz]ed|(?:did ?n[o'’]?t|never) (?:authori[sz]ed?|approved?|make|made|send|sent)|was ?n[o'’]?t me|not me|without my (?:permission|knowledge|consent)|someone else|somebody else|stolen|stole|hacked|fraud\w*|scam\w*|lost my phone)\b|\bno (?:la |lo )?(?:autoric[eé]|hice|envi[eé])|\bno fui yo\b|\bsin mi (?:permiso|consentimiento)\b|\brob(?:aron|ado|ada|o)\b|\bfraude\b|\bestafa/iu,
  ],
  [
    'error',
    /\b(?:(?:charged|debited|paid|taken|billed) (?:me )?(?:twice|two times|again|double)|double[- ]?(?:charged?|debit(?:ed)?|payment)|duplicated?|wrong (?:amount|account|person)|incorrect (?:amount|account)|too much was|more than (?:i|we) agreed|missing from my statement)\b|\bdos veces\b|\bduplicad[oa]\b|\b(?:monto|importe|cantidad|cuenta) (?:equivocad|incorrect)[oa]\b/iu,
  ],
];

/** Types in which the law's rights of a kind are lost. */
const losesRights: Readonly<Record<DisputeKind, readonly DisputeKind[]>> = {
  purchase_dispute: ['unauthorized_transfer', 'error'],
  error: ['unauthorized_transfer'],
  unauthorized_transfer: [],
};

/** The kind that the customer's words speak of, where the type takes its rights away; null: none. */
export function suggestedFor(kind: DisputeKind, description: string): DisputeKind | null {
  const found = speaksOf.find(
    ([spoken, words]) => losesRights[kind].includes(spoken) && words.test(description),
  );
  return found?.[0] ?? null;
}

/** The contradiction in an individual's notice: no other customer has these rights [1005.2(b)(1), (e)]. */
export const contradictionOf = (
  { type, description }: { readonly type: DisputeKind; readonly description: string },
  { type: holder }: { readonly type: 'individual' | 'business' },
): DisputeKind | null => (holder === 'individual' ? suggestedFor(type, description) : null);
