import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ItemOf } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { AskSecondPerson } from '../../approvals/second_person.tsx';

type Row = ItemOf<'GET /portal/api/ledger/proofs'>;

const why =
  'Two admins acknowledge what this proof has found. It raises no alarm any more; what is new or changes does.';

/** Who has acknowledged violations of a proof, when and why; an admin may ask for the others. */
export function Acknowledged({ row: { id, found, acknowledgements } }: { readonly row: Row }) {
  const [isAsking, setAsking] = useState(false);
  const isAdmin = holds(useSession(), ['admin']);
  const mayAsk = isAdmin && found > 0 && !acknowledgements.some(({ proof_id }) => proof_id === id);
  return (
    <>
      {acknowledgements.map(({ proof_id, at, by, note }) => (
        <Text key={proof_id} size="xs" mt={4} className="breaks">
          Acknowledged <When at={at} />
          {by.length > 0 && ` by ${by.join(' and ')}`}
          {note !== null && `: ${note}`}
        </Text>
      ))}
      {mayAsk && !isAsking && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setAsking(true)}>
          Acknowledge
        </Button>
      )}
      {mayAsk && isAsking && (
        <AskSecondPerson act={{ resource: 'ledger-proofs', id, move: 'acknowledge' }} why={why} />
      )}
    </>
  );
}
