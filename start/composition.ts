import type { Sample } from '../backoffice/tenants/sandbox_file.ts';
import { openWeek, type Week, type WeekParts } from '../backoffice/week/week.ts';
import { untraced } from '../engine/trace.ts';
import { watchRails } from '../service/operations/rails_meter.ts';
import { type GuardedRails, guardRails } from '../service/rails/guard/guard_rails.ts';
import type { Rails } from '../service/rails/rails.ts';
import { openQrSigner } from '../service/resources/payment_requests/qr.ts';
import { openChaos } from '../service/sandbox/chaos/chaos.ts';
import { magic } from '../service/sandbox/magic.ts';
import { openBankWidget } from '../service/sandbox/rails/bank_widget.ts';
import { sandboxCode } from '../service/sandbox/rails/messages.ts';
import { sandboxRails } from '../service/sandbox/rails/rails.ts';
import type { SampleDependencies } from '../service/sandbox/sample/api.ts';
import { brandSample } from '../service/sandbox/sample/brand.ts';
import { sampleSettings, seedSample } from '../service/sandbox/sample/sample.ts';
import { openSampleEvents } from '../service/sandbox/sample_events/sample_events.ts';
import { openSimulator, type Simulations } from '../service/sandbox/simulate/simulate.ts';
import { openSimulations } from '../service/sandbox/simulate/simulations.ts';
import type { SandboxTools } from '../service/sandbox_tools.ts';
import type { Service } from '../service/service.ts';
import { innerAdapters, outerAdapters } from './adapters.ts';
import { composedRails, loadRails } from './outside.ts';
import { buildWorkers } from './workers.ts';

/**
 * The outside of this deployment: adapters of the ports that settings name, and for all others the sandbox plays it,
 * and production brings a module of its own (rules/rails#18).
 * @param answerAfterSeconds how long the sandbox takes to answer by itself; a test may be in a hurry
 * @throws one line when that module cannot be loaded, or lacks what it must have
 */
export async function openRails(
  service: Pick<Service, 'config' | 'db' | 'engine' | 'vault' | 'clocks' | 'meters' | 'log'> &
    Partial<Pick<Service, 'tracing'>>,
  { answerAfterSeconds }: { answerAfterSeconds?: number } = {},
): Promise<Rails & Partial<Pick<GuardedRails, 'rest'>>> {
  const { environment, adapters, rails, railsDeadlines: deadlines } = service.config;
  const isPlayed = environment === 'sandbox' || (rails === null && adapters.length === 0);
  const played = isPlayed ? sandboxRails(service, answerAfterSeconds) : null;
  if (played && adapters.length === 0) return played;
  const others = played ?? (await loadRails(service.config));
  const opened = [...(await outerAdapters(service.config)), ...innerAdapters(service)];
  const all = opened.length > 0 || !others ? composedRails(opened, others ?? {}) : others;
  const { meters, log, tracing = untraced } = service;
  return guardRails(all, { deadlines, observer: watchRails(meters, log), tracing });
}

/** The simulations of the simulate path; production refuses every call (rules/sandbox#6). */
export const simulationsOf = ({
  config: { environment, pinPeppers },
  vault,
  clocks,
  db,
}: Pick<Service, 'config' | 'vault' | 'clocks' | 'db'>): Simulations =>
  environment === 'sandbox' ? openSimulations({ pinPeppers, vault, clocks, db }) : {};

/** The tools that a Tenant may try its code with; production has none of it. */
export function sandboxToolsOf(
  context: Pick<Service, 'config' | 'pool' | 'db' | 'clocks' | 'vault'>,
): SandboxTools | null {
  const { environment, qrSigningKeys } = context.config;
  if (environment !== 'sandbox') return null;
  const qr = openQrSigner(qrSigningKeys, environment);
  return {
    chaos: openChaos(context),
    sampleEvent: openSampleEvents(qr),
    simulator: openSimulator(simulationsOf(context)),
    bank: openBankWidget(context),
    messageCode: sandboxCode,
    magic,
  };
}

function sampleDependencies(service: Service, rails: Rails): SampleDependencies {
  const qr = openQrSigner(service.config.qrSigningKeys, service.environment);
  return { service, rails, qr, simulations: simulationsOf(service) };
}

/** The sample that a new sandbox is given. */
export const sandboxSample = (service: Service, rails: Rails): Sample => ({
  settings: sampleSettings,
  brand: (tenantId) => brandSample(service, tenantId),
  seed: (tenantId) => seedSample(sampleDependencies(service, rails), tenantId),
});

/**
 * The Tenant with a week of work. Its past is played by workers that say nothing: a deadline that was
 * missed there is nobody's alarm.
 */
export function sandboxWeek(
  spoken: Service,
  rails: Rails,
  more: Pick<WeekParts, 'onPlayed'> = {},
): Week {
  const service = { ...spoken, log: spoken.log.child({}, { level: 'silent' }) };
  const { advance } = buildWorkers(service, rails);
  const dependencies = sampleDependencies(service, rails);
  return openWeek({ dependencies, advance, log: spoken.log, ...more });
}
