import { Button, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { ItemOf } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { AskSecondPerson } from '../../approvals/second_person.tsx';

type Row = ItemOf<'GET /portal/api/ledger/proofs'>;

const why =
  'Two admins acknowledge what this proof has found. It raises no alarm any more; what is new or changes does.';

const whyBack =
  'Two admins take an acknowledgement back. The next proof finds its violations again, with their alarms.';

type Acknowledgement = Row['acknowledgements'][number];

/** The line of an act that two people did: when, by whom and why. */
const OfTwo = ({
  what,
  of: { at, by, note },
}: {
  readonly what: string;
  readonly of: Pick<Acknowledgement, 'at' | 'by' | 'note'>;
}) => (
  <Text size="xs" mt={4} className="breaks">
    {what} <When at={at} />
    {by.length > 0 && ` by ${by.join(' and ')}`}
    {note !== null && `: ${note}`}
  </Text>
);

/**
 * The acknowledgements of a proof's violations; an admin may ask for the other ones, or to take
 * these back.
 */
export function Acknowledged({ row: { id, found, acknowledgements } }: { readonly row: Row }) {
  const [isAsking, setAsking] = useState(false);
  const isAdmin = holds(useSession(), ['admin']);
  const isInForce = acknowledgements.some(
    ({ proof_id, taken_back }) => proof_id === id && taken_back === null,
  );
  const mayAsk = isAdmin && (isInForce || found > 0);
  const move = isInForce ? 'take_back' : 'acknowledge';
  return (
    <>
      {acknowledgements.map(({ taken_back, ...one }) => (
        <Fragment key={`${one.proof_id} ${one.at}`}>
          <OfTwo what="Acknowledged" of={one} />
          {taken_back && <OfTwo what="Taken back" of={taken_back} />}
        </Fragment>
      ))}
      {mayAsk && !isAsking && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setAsking(true)}>
          {isInForce ? 'Take back' : 'Acknowledge'}
        </Button>
      )}
      {mayAsk && isAsking && (
        <AskSecondPerson
          act={{ resource: 'ledger-proofs', id, move }}
          why={isInForce ? whyBack : why}
        />
      )}
    </>
  );
}
