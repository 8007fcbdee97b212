import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { alarmNames } from '../../backoffice/contract/operate/alarm_texts.ts';
import { openMeters } from '../../service/operations/meters.ts';

/** Alarms and alerts lead to what is to be done, and what is watched is measured. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const partsOf = (page: string): string[] =>
  [...read(page).matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const groups: readonly { readonly rules: readonly Rule[] }[] = parse(
  read('deploy/prometheus/rules.yaml'),
).groups;
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = JSON.parse(read('deploy/grafana/tenant-payments.json')).panels;

test('each alarm says in the runbook what to look at and do first, and no other does', () => {
  expect(partsOf('docs/guide/operating/alarms.md').sort()).toEqual([...new Set(alarmNames)].sort());
});

test('each alert leads to a part of the runbook, and is one of two severities', () => {
  const parts = partsOf('docs/guide/operating/alerts.md');
  expect(rules.map(({ alert }) => alert).sort()).toEqual([...parts].sort());
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [, page = '', part = ''] =
      /\/docs\/guide\/operating\/(\w+)#(.+)$/.exec(annotations.runbook) ?? [];
    const wanted =
      alert === 'AlarmRaised' ? ['alarms', '{{ $labels.alarm }}'] : ['alerts', alert.toLowerCase()];
    expect([page, part]).toEqual(wanted);
  }
});

/** Functions and words of PromQL, and labels of ours. */
const ofNode = /^(?:up|nodejs_eventloop_lag_p99_seconds|process_resident_memory_bytes)$/;

/** The metrics that an expression names: what stands before a selector, a range or the end. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(?:by|without) \([^)]*\)/g, '')
    .replaceAll(/\[\w+\]/g, '');
  return [...bare.matchAll(/\b[a-z]\w*_\w+\b(?!\s*\()|\bup\b/g)].map(([name]) => name);
}

test('alerts and panels ask for metrics and labels that a process has', async () => {
  const known = new Map(
    openMeters()
      .registry.getMetricsAsArray()
      .map((metric) => [
        metric.name,
        (metric as unknown as { labelNames: readonly string[] }).labelNames,
      ]),
  );
  const asked = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [title, expr] as const),
    ),
  ];
  const missing: string[] = [];
  for (const [whose, expr] of asked) {
    const names = metricsOf(expr);
    if (names.length === 0) missing.push(`${whose}: no metric`);
    for (const name of names)
      if (
        !ofNode.test(name) &&
        !known.has(name) &&
        !known.has(name.replace(/_(?:bucket|count|sum)$/, ''))
      )
        missing.push(`${whose}: ${name}`);
    for (const [, name = '', labels = ''] of expr.matchAll(/(\w+)\{([^}]*)\}/g))
      for (const [, label = ''] of labels.matchAll(/(\w+)[=!]/g)) {
        const own = known.get(name.replace(/_(?:bucket|count|sum)$/, '')) ?? known.get(name);
        if (own && !own.includes(label)) missing.push(`${whose}: ${name}{${label}}`);
      }
  }
  expect(missing).toEqual([]);
});

test('each measure that the service levels name is one that a process has', () => {
  const [, table = ''] =
    /\n## Events\n([\s\S]*?)\n## /.exec(read('docs/guide/service-levels.md')) ?? [];
  const named = [...table.matchAll(/`(\w+_\w+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(2);
  const known = openMeters()
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('each panel of the dashboard has an id, a title and a place of its own', () => {
  const { templating } = JSON.parse(read('deploy/grafana/tenant-payments.json'));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.every(({ title }) => title !== '')).toBe(true);
  expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
});
