import type { Row } from './row.ts';

/** Names and values, one under the other. */
export function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <dl class="rows">
      {rows.map(({ name, value, isStrong }, index) => (
        <div key={String(index)} class={isStrong ? 'is-strong' : ''}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
