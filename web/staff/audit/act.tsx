import { Anchor, Text } from '@mantine/core';
import { capitalized, plainWords, shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { actSentence, differencesOf } from '@tenant-payments/contract/core/fields/told.ts';
import type { NameOf } from '@tenant-payments/contract/core/fields/values.ts';
import type { ReactNode } from 'react';
import { isolated } from '../../ui/isolated.ts';
import type { ItemOf } from '../api/queries.ts';
import { ChangeTable } from '../parts/change_table.tsx';
import { Facts } from '../parts/facts.tsx';
import { Fold } from '../parts/fold.tsx';
import { Mark } from '../parts/state_badge.tsx';
import { When } from '../parts/when.tsx';

export type Act = ItemOf<'GET /portal/api/audit'>;
type Actor = Pick<Act, 'actor'>['actor'];

/** Whoever acted by name and address; a key with whose it is, a program or process by its kind. */
export function actorWords({ kind, id, name, email }: Actor): string {
  const who = name === null ? null : `${isolated(name)} (${email ?? ''})`;
  if (kind === 'person') return who ?? 'Somebody who has left';
  const what = kind === 'api_key' ? 'API key' : capitalized(plainWords(kind));
  if (who !== null) return `${what} of ${who}`;
  return kind === 'client' || kind === 'api_key' ? `${what} ${shortened(id)}` : `${what} ${id}`;
}

/** The names of the people of these rows, for values that are ids. */
export function namesIn(rows: readonly { readonly actor: Actor }[]): NameOf {
  const known = new Map(
    rows.flatMap(({ actor: { person_id, id, name } }) =>
      name === null ? [] : [[person_id ?? id, isolated(name)] as const],
    ),
  );
  return (id) => known.get(id) ?? null;
}

/** An act in a sentence, with the number of acts that the row stands for, where it is more than one. */
export const sentenceOf = (act: Act): string =>
  act.count === 1 ? actSentence(act) : `${actSentence(act)}, ${act.count} times`;

export const Outcome = ({ act: { outcome } }: { readonly act: Act }) => (
  <Mark
    tone={outcome === 'done' ? 'good' : 'warning'}
    text={outcome === 'done' ? 'Done' : `Refused: ${plainWords(outcome)}`}
  />
);

interface ActFactsProps {
  readonly act: Act;
  readonly nameOf: NameOf;
  readonly showRecord: (id: string) => ReactNode;
  /** The ways to go on from this act. */
  readonly children?: ReactNode;
}

/** All facts of one row of the audit. */
export const ActFacts = ({ act, nameOf, showRecord, children }: ActFactsProps) => (
  <>
    <Facts
      rows={[
        ['Outcome', <Outcome key="outcome" act={act} />],
        ['By', actorWords(act.actor)],
        ...(act.record === null ? [] : [['Record', showRecord(act.record)] as const]),
        ['Of', act.tenant_id === null ? 'The platform' : (act.tenant_name ?? 'A tenant')],
        ['When', <When key="at" at={act.at} isExact />],
      ]}
    />
    {children}
    <Differences act={act} nameOf={nameOf} showRecord={showRecord} />
    <Fold summary="Where it stands in the chain">
      <Facts
        rows={[
          ['Number', act.number],
          ['From', act.address ?? 'no address'],
          ['Request', act.request_id ?? 'no request'],
          ['Code', act.act],
          [
            'Hash',
            <span key="hash" className="letters">
              {act.hash}
            </span>,
          ],
        ]}
      />
    </Fold>
  </>
);

function Differences({ act, nameOf, showRecord }: Omit<ActFactsProps, 'children'>) {
  const changes = differencesOf(act);
  if (changes.length === 0) return <Text size="sm">It changed no field that is shown.</Text>;
  return (
    <ChangeTable
      label="What it changed"
      changes={changes}
      nameOf={nameOf}
      showRecord={showRecord}
    />
  );
}

interface OnlyProps {
  readonly text: string;
  readonly onClick: () => void;
}

/** Narrows the list to those like this one. */
export const Only = ({ text, onClick }: OnlyProps) => (
  <Anchor component="button" type="button" size="sm" onClick={onClick}>
    {text}
  </Anchor>
);
