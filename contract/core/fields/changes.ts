import { changedLeaves, type LeafChange } from '../setting_leaves.ts';
import type { Settings } from '../settings.ts';
import { type Field, within } from './field.ts';
import { recordField } from './records.ts';
import { inSentence, settingField } from './settings.ts';
import { valueWords } from './values.ts';

/** The effect of a change, in a sentence: `Raise the daily withdrawal limit of individuals, $10,000 to $50,000`. */

/** A value that goes up and down. */
const grows: readonly Field['kind'][] = ['money', 'basis_points', 'percent', 'count', 'score'];
const lasts: readonly Field['kind'][] = ['seconds', 'hours', 'days'];

const more = (kind: Field['kind'], isMore: boolean): string => {
  if (lasts.includes(kind)) return isMore ? 'Lengthen' : 'Shorten';
  return isMore ? 'Raise' : 'Lower';
};

function verbOf({ kind, none }: Field, before: unknown, after: unknown): string {
  if (kind === 'feature') return after === true ? 'Switch on' : 'Switch off';
  const isNumber = grows.includes(kind) || lasts.includes(kind);
  // Without a limit there is more of it.
  const size = (value: unknown) => (value === null && none !== undefined ? Infinity : value);
  const [was, is] = [size(before), size(after)];
  if (isNumber && typeof was === 'number' && typeof is === 'number') return more(kind, is > was);
  if (before === null) return 'Set';
  return after === null ? 'Remove' : 'Change';
}

const settingOr = (path: string) => settingField(path) ?? recordField(path);

/** One changed value of the settings in a sentence. */
export function changeSentence({ field: path, before, after }: LeafChange): string {
  const field = settingOr(path);
  const verb = verbOf(field, before, after);
  const what = `${verb} ${inSentence(field)}`;
  if (field.kind === 'feature') return what;
  const [was, is] = [before, after].map((value) =>
    field.kind === 'choice' ? within(valueWords(field, value)) : valueWords(field, value),
  ) as [string, string];
  if (verb === 'Remove') return `${what} (${was})`;
  return verb === 'Set' ? `${what} to ${is}` : `${what}, ${was} to ${is}`;
}

/** Several changes in a sentence: what they have in common, and how many there are. */
export function changesSentence(changes: readonly LeafChange[]): string {
  const [first, ...others] = changes;
  if (!first) return 'Change the settings';
  if (others.length === 0) return changeSentence(first);
  const groups = new Set(changes.map(({ field }) => settingOr(field).group));
  const group = groups.size === 1 ? within([...groups][0] ?? '') : 'settings';
  const isPlural = /s$/.test(group) && !group.includes(' and ');
  return isPlural
    ? `Change ${changes.length} ${group}`
    : `Change ${changes.length} values of ${group}`;
}

/** The differences between settings that were and are, as the audit keeps them: whole keys. */
export const settingChanges = (before: object | null, after: object | null) =>
  changedLeaves((before ?? {}) as Partial<Settings>, (after ?? {}) as Partial<Settings>);
