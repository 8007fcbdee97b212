import type { Logger } from 'pino';
import { type Tracing, untraced } from '../engine/trace.ts';
import type { Config } from '../service/config/config.ts';
import { version } from '../service/config/version.ts';

/** Opens what the settings of OpenTelemetry ask for, whose code is read only then (rules/operations#92). */
export async function openTracing(
  { telemetry, environment }: Pick<Config, 'telemetry' | 'environment'>,
  log: Pick<Logger, 'warn'>,
): Promise<Tracing> {
  if (telemetry === null) return untraced;
  const { open } = await import('../adapters/otlp/index.ts');
  const onFailure = (reason: string) => log.warn({ reason }, 'spans of traces were not taken');
  return open({ ...telemetry, version, environment, onFailure });
}
