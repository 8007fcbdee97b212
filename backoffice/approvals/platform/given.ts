import { fail, StoredJsonError } from '@tenant-payments/engine/fail.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { PlatformGiven } from '../../contract/operate/platform_approvals.ts';
import type { ReadApproval } from '../lapsed.ts';
import { approvalView, changedSince, type Outlook } from '../view.ts';
import type { PlatformAct, PlatformAsked, PlatformInput } from './act.ts';
import type { Nameless } from './named.ts';

/** The stored parameters of an act on the platform, beside its record. */
export const givenColumn = jsonColumn('control.approvals.given', 'text', PlatformGiven);

export type ReadPlatformApproval = ReadApproval & {
  readonly given: string;
  readonly given_secret: string | null;
};

/** @throws StoredJsonError: an earlier release stored what this one does not take */
export const readGiven = ({ given }: Pick<ReadPlatformApproval, 'given'>): PlatformGiven =>
  givenColumn.read(null, JSON.parse(given));

const fields = Object.keys(PlatformGiven.properties) as (keyof PlatformGiven)[];

/**
 * The parameters that were sent, without the secret one.
 * @throws ApiError parameter_missing, parameter_invalid
 */
export function givenOf({ takes = [] }: PlatformAct, input: PlatformInput): PlatformGiven {
  for (const param of fields) {
    const isGiven = input[param] !== undefined;
    if (isGiven === takes.includes(param)) continue;
    throw fail(isGiven ? 'parameter_invalid' : 'parameter_missing', { param });
  }
  const { email, roles, provider } = input;
  const { client_secret: _, ...shown } = provider ?? { client_id: '', issuer: '' };
  return { ...(email && { email }), ...(roles && { roles }), ...(provider && { provider: shown }) };
}

/** @throws ApiError invalid_state {reason: changed_since} where this release does not take what was stored */
export function askedOf(row: ReadPlatformApproval): PlatformAsked {
  try {
    return { id: row.record_id, given: readGiven(row), secret: row.given_secret };
  } catch (error) {
    throw error instanceof StoredJsonError ? changedSince() : error;
  }
}

function shownGiven(row: ReadPlatformApproval): PlatformGiven {
  try {
    return readGiven(row);
  } catch (error) {
    if (error instanceof StoredJsonError) return {};
    throw error;
  }
}

export const platformView = (
  row: ReadPlatformApproval,
  realNow: Instant,
  outlook?: Outlook,
): Nameless => ({ ...approvalView(row, realNow, outlook), body: shownGiven(row) });
