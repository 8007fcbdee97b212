import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { actGroups, actWords } from '@tenant-payments/contract/core/fields/acts.ts';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { useState } from 'react';
import type { InputOf } from '../api/call.ts';
import { useRead } from '../api/queries.ts';
import { realTimes, type Values } from '../parts/filter_fields.ts';
import type { ListField, PickerProps } from '../parts/filter_row.tsx';
import { type Act, actorWords } from './act.tsx';

const people = 'GET /portal/api/audit/people';
type AuditScope = NonNullable<InputOf<typeof people>['scope']>;

/** `review` finds every move of a reviewer. */
const anyMove = { value: 'review', label: 'Any move of a reviewer' };
const groups = actGroups.map(([group, acts]) => ({
  group,
  items: [
    ...(Object.hasOwn(acts, anyMove.value) ? [anyMove] : []),
    ...Object.entries(acts)
      .filter(([value]) => value !== anyMove.value)
      .map(([value, label]) => ({ value, label }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
  ],
}));
const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)));

interface PersonProps extends PickerProps {
  readonly scope: AuditScope;
}

/** Whoever has acted, found by a part of the name or address. */
function PersonField({ value, onTake, onCancel, scope }: PersonProps) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 200);
  const { data, isFetching } = useRead(people, { scope, ...(asked !== '' && { q: asked }) });
  const found = (data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
  const isWaiting = isFetching || asked !== typed.trim();
  return (
    <Select
      size="xs"
      aria-label="By"
      placeholder="Name or e-mail"
      searchable
      autoFocus
      defaultDropdownOpened
      w={260}
      value={value || null}
      data={found}
      // The service has found them: it knows parts that the label does not show in order.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isWaiting ? 'Searching …' : `No person is called “${typed.trim()}”`}
      onChange={(id) => onTake(id ?? '')}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    />
  );
}

/** The filters of the audit, of the chains that are asked for. */
export const auditFields = (scope: AuditScope): readonly ListField[] => [
  { name: 'act', label: 'Act', kind: 'choice', placeholder: 'Every act', choices: groups },
  {
    name: 'actor',
    label: 'By',
    kind: 'text',
    picker: (props) => <PersonField {...props} scope={scope} />,
  },
  { name: 'record', label: 'Record', kind: 'text', placeholder: 'Id, or how it begins' },
  {
    name: 'outcome',
    label: 'Outcome',
    kind: 'choice',
    choices: [
      { value: 'done', label: 'Done' },
      { value: 'refused', label: 'Refused' },
    ],
  },
  ...realTimes,
];

/** Acts and people by their names. */
export const auditNames = (
  { act, actor }: Values,
  rows: readonly Pick<Act, 'actor'>[],
): Readonly<Record<string, string | undefined>> => {
  const row = rows.find((one) => one.actor.id === actor || one.actor.person_id === actor);
  return {
    act: act === undefined || known.has(act) ? undefined : actWords(act),
    actor: row ? actorWords(row.actor) : actor && shortened(actor),
  };
};

/** Why a filtered list shows nothing, by the filters that are set. */
export function noneWords({ act, actor, record, outcome, from, to }: Values): string {
  const isNarrowed = [outcome, from, to].some((one) => one !== undefined);
  if (act !== undefined && !known.has(act)) return `No act is called “${act}”`;
  const parts = [
    ...(act === undefined ? [] : [`“${act === anyMove.value ? anyMove.label : actWords(act)}”`]),
    ...(actor === undefined ? [] : ['by this person']),
    ...(record === undefined ? [] : [`on a record whose id begins with ${record}`]),
  ];
  if (parts.length > 0) return `No act ${parts.join(' ')}${isNarrowed ? ' in this time' : ''}`;
  return isNarrowed ? 'No act in this time' : 'No acts yet';
}
