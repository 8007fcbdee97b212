import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Alarm } from '@tenant-payments/backoffice/contract/operate/alarms.ts';

interface Way {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly text: string;
}

const inSuspense = ['late', 'unmatched'];
const ofTheBank = ['contradiction', 'amount_mismatch', 'unknown'];

/** The page on which an alarm is worked on; null: the console has none. */
function wayOf({ alarm, tenant_id, record_id }: Alarm): Way | null {
  if (alarm === 'no_worker') return { to: '/operations', text: 'Processes' };
  if (tenant_id === null) return null;
  if (alarm === 'ledger') return { to: '/ledger-proofs', text: 'Proofs of the ledger' };
  if (record_id?.startsWith('dsp_'))
    return { to: `/case/${tenant_id}/disputes/${record_id}`, text: 'Case of the dispute' };
  const desk = (resource: string) => ({ tenant_id, resource });
  if (alarm === 'return_request')
    return { to: '/desk', search: desk('return-requests'), text: 'Requests to give money back' };
  if (inSuspense.includes(alarm))
    return { to: '/desk', search: desk('suspense'), text: 'Money in suspense' };
  if (ofTheBank.includes(alarm))
    return { to: '/desk', search: desk('bank-messages'), text: 'Messages of the bank' };
  return null;
}

/** The way to the place where an alarm is worked on. */
export function AlarmLink({ alarm }: { readonly alarm: Alarm }) {
  const way = wayOf(alarm);
  if (way === null) return 'Nothing in the console';
  return (
    <Anchor component={Link} to={way.to} search={(way.search ?? {}) as never} size="sm">
      {way.text}
    </Anchor>
  );
}
