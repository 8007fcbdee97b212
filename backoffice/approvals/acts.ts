import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { ownBankRoles } from '@tenant-payments/contract/resources/own_bank_accounts.ts';

import {
  acknowledgeViolations,
  takeBackAcknowledgement,
} from '@tenant-payments/service/invariants/acknowledge.ts';
import { putBankAccountInForce } from '@tenant-payments/service/resources/own_bank_accounts/moves.ts';

import type { Service } from '@tenant-payments/service/service.ts';
import { reviewAct } from '../audit/acts.ts';
import { type MoveTable, runs, shaped } from '../review/move.ts';
import { actOf, type NamedMove } from '../review/move_act.ts';
import { namedOf, openReviewMoves } from '../review/moves.ts';
import { putSettings } from '../settings/settings.ts';

/** Everything that a second person can be asked to approve: the reviewer's moves, and what is none. */
export const openAskedMoves = (
  service: Pick<Service, 'db' | 'environment' | 'clocks'>,
): MoveTable => ({
  ...openReviewMoves(service),
  settings: {
    idOf: namedOf(['settings']),
    moves: {
      change: runs(
        shaped(putSettings(service), ({ settings }) => settings ?? {}),
        { settings: 'required' },
      ),
    },
  },
  'ledger-proofs': {
    idOf: (id) => (isUuid(id) ? id : null),
    moves: {
      acknowledge: runs(acknowledgeViolations(service)),
      take_back: runs(takeBackAcknowledgement),
    },
  },
  'own-bank-accounts': {
    idOf: namedOf(ownBankRoles),
    moves: { put_in_force: runs(putBankAccountInForce) },
  },
});

/** How the audit names it. */
export const auditedAs = (named: NamedMove): string =>
  actOf(named)?.audited ?? reviewAct(named.resource, named.move);

/** Whether it is a reviewer's, which has a row of its own beside the audit (rules/review#2). */
export const isReview = (named: NamedMove): boolean => actOf(named)?.audited === undefined;
