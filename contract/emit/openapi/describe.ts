import type { EndpointDefinition } from '../../core/endpoint.ts';
import { type ErrorCode, errorStatus, generalErrors } from '../../core/errors.ts';
import { allCodes, errorMeanings } from '../../resources/errors.ts';
import { operationTexts } from './operation_texts.ts';

const general: readonly ErrorCode[] = generalErrors;

/** The operation's own refusals, by rising status. */
const ownRefusals = ({ errors }: EndpointDefinition): ErrorCode[] =>
  allCodes.filter((code) => errors.includes(code) && !general.includes(code));

const line = (code: ErrorCode): string =>
  `- ${errorStatus[code]} \`${code}\`: ${errorMeanings[code].when}`;

/** The description of an operation: its text, and its refusals besides the general ones. */
export function descriptionOf(endpoint: EndpointDefinition, text: string | undefined): string {
  const refusals = ownRefusals(endpoint);
  const key = endpoint.idempotent === 'required' ? ['Needs an `Idempotency-Key`.'] : [];
  return [
    ...(text === undefined ? [`${endpoint.summary}.`] : [text]),
    ...(endpoint.extension ? ['An extension of the contract 1.1.'] : []),
    ...key,
    ...(refusals.length > 0 ? [`Refused with:\n\n${refusals.map(line).join('\n')}`] : []),
  ].join('\n\n');
}

const texts: Readonly<Record<string, string>> = operationTexts;

/** The text of an operation of the Tenant API. */
export const contractText = ({ id }: EndpointDefinition): string | undefined => texts[id];
