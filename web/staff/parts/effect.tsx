import { Text } from '@mantine/core';
import type { ApprovalEffect } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { Cents } from './cents.tsx';
import { StateBadge } from './state_badge.tsx';
import { inWords } from './tell.ts';

type Change = ApprovalEffect['changes'][number];

/** `acct_….pending_outgoing` as its pocket, with the end of the account's id. */
export const placeOf = (place: string) => {
  const [owner = '', pocket = ''] = place.split('.');
  return owner === 'tenant'
    ? `the tenant's ${inWords(pocket)}`
    : `${inWords(pocket)} of acct …${owner.slice(-6)}`;
};

const Changed = ({ isOwn, change }: { readonly isOwn: boolean; readonly change: Change }) => (
  <Text size="sm" component="div">
    {!isOwn && `${inWords(change.object)}: `}
    <StateBadge state={String(change.before ?? 'none')} /> to{' '}
    <StateBadge state={String(change.after ?? 'none')} />
  </Text>
);

/** The effect of a move in words: statuses and money. */
export function Effect({ id, effect }: { readonly id: string; readonly effect: ApprovalEffect }) {
  const statuses = effect.changes.filter(({ field }) => field === 'status');
  return (
    <div className="effect">
      {statuses
        .toSorted((a, b) => Number(b.id === id) - Number(a.id === id))
        .map((change) => (
          <Changed key={`${change.object} ${change.id}`} isOwn={change.id === id} change={change} />
        ))}
      {effect.postings.map(({ from, to, amount }) => (
        <Text key={`${from} ${to} ${amount}`} size="sm">
          <Cents value={amount} /> from {placeOf(from)} to {placeOf(to)}
        </Text>
      ))}
      {statuses.length === 0 && effect.postings.length === 0 && (
        <Text size="sm">No status and no money changes.</Text>
      )}
    </div>
  );
}
