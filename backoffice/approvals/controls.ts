import type { LeafChange } from '@tenant-payments/contract/core/setting_leaves.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { ledgerProofs } from '@tenant-payments/service/invariants/acknowledge.ts';
import { accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import { documentVersions } from '@tenant-payments/service/resources/customers/documents/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { identityRecords } from '@tenant-payments/service/resources/identity/table.ts';
import { linkedAccounts } from '@tenant-payments/service/resources/linked_accounts/table.ts';
import { ownBankAccounts } from '@tenant-payments/service/resources/own_bank_accounts/table.ts';
import { awardedAlone, refusedAlone, settingTimes } from '../contract/operate/approvals.ts';
import type { Values } from './effect.ts';

/** Whether a change of one value takes protection from money. */
type Weakens = (change: LeafChange) => boolean;

const free: Weakens = () => false;
const changed: Weakens = () => true;
/** A limit of null is none. */
const raised: Weakens = ({ before, after }) =>
  typeof before === 'number' && (after === null || Number(after) > before * settingTimes);
/** Any more, or no maximum any more. */
const loosened: Weakens = ({ before, after }) =>
  typeof before === 'number' && (after === null || Number(after) > before);
const lowered: Weakens = ({ before, after }) =>
  typeof before === 'number' && Number(after) < before;
/** A fee that is gone is none. Of a Tenant's own fees the Tenant decides. */
const ownFeeLowered: Weakens = (change) =>
  /^fees\.platform\..+\.(?:basis_points|fixed)$/.test(change.field) && lowered(change);

/** Something is permitted that was not, or on another ground. */
const permits: Weakens = ({ after }) => after !== null;

/** Money moves without a look of a person, or to another place. */
const unheld: Weakens = ({ after }) => after !== 'hold';

/** Every setting. One that is added says here whether it protects money, or does not compile. */
const settingControls: Readonly<Record<keyof Settings, Weakens>> = {
  return_urls: free,
  frame_origins: free,
  link_redirect_uris: free,
  flows: free,
  request_uses: permits,
  fees: ownFeeLowered,
  limits: raised,
  payout_daily_maximum: loosened,
  payment_request_expires_in: free,
  confirmation_grace_seconds: changed,
  withdrawal_hold_hours: lowered,
  holder_match_verified: lowered,
  holder_match_review: lowered,
  refund_window_days: changed,
  late_money: unheld,
  rate_limit_per_minute: free,
  sandbox_mode: free,
  production_rules: free,
  account_structure: changed,
  branding: free,
  institution: free,
  industries: free,
};

/** @param change of a limit: from what held seven days ago (rules/approvals#11) */
export const weakens = (change: LeafChange): boolean =>
  settingControls[change.field.split('.', 1)[0] as keyof Settings](change);

/** Whether a change of a row lifts what protects money or people, or decides for or against a customer. */
type Lifts = (before: Values, after: Values, now: Instant) => boolean;

type Amount = Pick<DisputeRow, 'movement_id' | 'amount_by_staff'>;

/** The movement says the amount. One that staff have set is as good as unknown (rules/approvals#2). */
const isNamedByRecord = ({ movement_id, amount_by_staff }: Amount): boolean =>
  movement_id !== null && !amount_by_staff;

/** A credit or an award that one person gives: the record of a consumer names its cents, which stay within a bound. */
export const isGivenAlone = (dispute: DisputeRow, cents: number): boolean =>
  dispute.regulation_e && isNamedByRecord(dispute) && cents <= awardedAlone;

/** The customer keeps more than one person gives alone, also of what was credited before: no posting tells of that. */
const awardsMuch: Lifts = (before, values) => {
  const after = values as unknown as DisputeRow;
  const award = after.award_cents ?? 0;
  return before.outcome === null && award > 0 && !isGivenAlone(after, award);
};

/** The customer is refused more than one person decides alone, or an amount that no record names. */
const refusesMuch: Lifts = (before, values) => {
  const after = values as unknown as DisputeRow;
  const { outcome, linked_to, disputed_cents, award_cents } = after;
  const isDecided = before.outcome === null && outcome !== null && linked_to === null;
  if (!isDecided || outcome === 'approved' || outcome === 'refunded_by_merchant') return false;
  if (disputed_cents === null || !isNamedByRecord(after)) return true;
  return disputed_cents - (award_cents ?? 0) > refusedAlone;
};

/**
 * A dispute comes under Regulation E, whose clock then credits it by itself, or loses it: of more than one person
 * awards or refuses alone, or of an amount that no record names.
 */
const clockChanged: Lifts = (...rows) => {
  const [before, after] = rows as unknown as readonly [DisputeRow, DisputeRow];
  if (before.regulation_e === after.regulation_e) return false;
  const [cents, alone] = after.regulation_e
    ? [after.disputed_cents, awardedAlone]
    : [before.disputed_cents, refusedAlone];
  return !isNamedByRecord(after) || cents === null || cents > alone;
};

const holdLifted: Lifts = (before, after, now) => {
  const [was, is] = [before.withdrawal_hold_until, after.withdrawal_hold_until];
  return typeof was === 'string' && was > now && (is === null || String(is) < was);
};

export const rowControls: Readonly<Record<string, Lifts>> = {
  [accounts.name]: (before, after) => before.legal_hold === true && after.legal_hold === false,
  [customers.name]: (before, after) => before.erased_at !== after.erased_at,
  [disputes.name]: (...change) =>
    refusesMuch(...change) || awardsMuch(...change) || clockChanged(...change),
  [identityRecords.name]: (before, after) => before.openings !== after.openings,
  [documentVersions.name]: (before, after) => before.in_force !== after.in_force,
  [ledgerProofs.name]: (before, after) =>
    (before.acknowledged_at === null) !== (after.acknowledged_at === null),
  [linkedAccounts.name]: (before, after, now) =>
    after.status === 'verified' && holdLifted(before, after, now),
  [ownBankAccounts.name]: (before, after) => before.number_sealed !== after.number_sealed,
};
