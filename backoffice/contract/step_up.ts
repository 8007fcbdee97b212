import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Static } from 'typebox';
import type { StepUpBy } from './endpoint.ts';
import type { ReviewResource, reviewMoves } from './operate/review.ts';
import type { asFile } from './records/list_filters.ts';

/**
 * Tables of what wants step-up where not the whole operation does (rules/people#6). The tables are complete by
 * type: a new setting and a new move say it here.
 */

/** True: always. A list: when one of these fields of its value changes. */
type OfSetting<Value> = boolean | readonly (keyof NonNullable<Value>)[];

/** The platform's settings, and the Tenant's that say where people and money go. */
export const settingStepUp = {
  return_urls: true,
  frame_origins: true,
  link_redirect_uris: true,
  flows: true,
  request_uses: true,
  fees: true,
  limits: true,
  payout_daily_maximum: true,
  payment_request_expires_in: false,
  confirmation_grace_seconds: true,
  withdrawal_hold_hours: true,
  holder_match_verified: true,
  holder_match_review: true,
  refund_window_days: true,
  late_money: true,
  rate_limit_per_minute: true,
  sandbox_mode: false,
  production_rules: false,
  account_structure: true,
  branding: ['name'],
  institution: true,
  industries: true,
} as const satisfies { readonly [K in keyof Settings]-?: OfSetting<Settings[K]> };

type Moves = typeof reviewMoves;

/** A reviewer's moves that change an identity, a credential or money. */
export const moveStepUp = {
  customers: {
    approve: true,
    reject: true,
    request_more: false,
    review: false,
    erase: true,
    allow_pin_reset: true,
    remove_passkeys: true,
    withdraw_electronic: false,
    restore_electronic: false,
    open_identity: true,
  },
  owners: { approve: true, reject: true, open_identity: true },
  documents: { publish: true },
  'linked-accounts': { verify: true, reject: false, release_hold: true, lift_opt_out: true },
  accounts: {
    suspend: true,
    reactivate: true,
    place_hold: true,
    release_hold: true,
    adjust: true,
  },
  disputes: {
    investigate: false,
    reopen: true,
    classify: true,
    extenuating: true,
    credit: true,
    resolve_approved: true,
    resolve_partial: true,
    resolve_denied: true,
    resolve_withdrawn: true,
    liability_merchant: true,
    liability_platform: true,
    give_papers: false,
  },
  suspense: { match: true, return: true },
  'bank-messages': { close: true, book: true },
  'return-requests': { accept: true, refuse: true },
  notices: { give: false },
  reserve: { fund: true },
} as const satisfies {
  readonly [R in ReviewResource]: Readonly<Record<Moves[R][number], boolean>>;
};

/** The forms of a list: a file is an export by whoever is shown its personal data (rules/people#6). */
export const formatStepUp = { json: false, csv: true } as const satisfies Readonly<
  Record<NonNullable<Static<(typeof asFile)['format']>>, boolean>
>;

/** How an operation wants step-up by what it is asked for, with the table that says so. */
export const stepUpTables = {
  by_setting: settingStepUp,
  by_move: moveStepUp,
  by_format: formatStepUp,
} as const satisfies Readonly<Partial<Record<StepUpBy, object>>>;

const moves: ReadonlyMap<string, boolean> = new Map(
  Object.entries(moveStepUp).flatMap(([resource, ofMoves]) =>
    Object.entries(ofMoves).map(([move, wants]) => [`${resource}.${move}`, wants]),
  ),
);

/** Whether a reviewer's move wants step-up. One that nobody knows is refused by the operation. */
export const moveWantsStepUp = (resource: string, move: string): boolean =>
  moves.get(`${resource}.${move}`) ?? false;

/** Whether a change of settings wants step-up. @param now what is set, asked for where it matters */
export async function settingsWantStepUp(
  changes: Partial<Settings>,
  now: () => Promise<Partial<Settings>>,
): Promise<boolean> {
  const rows: Readonly<Record<string, boolean | readonly string[]>> = settingStepUp;
  for (const [key, value] of Object.entries(changes)) {
    const wants = rows[key] ?? false;
    if (typeof wants === 'boolean') {
      if (wants) return true;
      continue;
    }
    const given = value as Readonly<Record<string, unknown>>;
    const before = Object(await now())[key] as typeof given | undefined;
    if (wants.some((field) => given[field] !== before?.[field])) return true;
  }
  return false;
}
