import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sample } from '../backoffice/tenants/sandbox_file.ts';
import { openWeek, type Week, type WeekParts } from '../backoffice/week/week.ts';
import { watchRails } from '../service/operations/rails_meter.ts';
import { type GuardedRails, guardRails } from '../service/rails/guard/guard_rails.ts';
import { railsMethodList } from '../service/rails/guard/methods.ts';
import { faultsOfProviders } from '../service/rails/providers/provider.ts';
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
import { importModule } from './import_module.ts';
import { buildWorkers } from './workers.ts';

/**
 * The outside of this deployment: the sandbox plays it, production brings a module of its own.
 * @param answerAfterSeconds how long the sandbox takes to answer by itself; a test may be in a hurry
 * @throws one line when that module cannot be loaded, or lacks what it must have
 */
export async function openRails(
  service: Pick<Service, 'config' | 'db' | 'engine' | 'vault' | 'clocks' | 'meters' | 'log'>,
  { answerAfterSeconds }: { answerAfterSeconds?: number } = {},
): Promise<Rails & Partial<Pick<GuardedRails, 'rest'>>> {
  const { environment, rails, railsDeadlines: deadlines } = service.config;
  if (environment === 'sandbox' || rails === null) return sandboxRails(service, answerAfterSeconds);
  const module = await loadRails(rails);
  return guardRails(module, { deadlines, observer: watchRails(service.meters, service.log) });
}

/**
 * The module of `RAILS`, as it is.
 * @throws one line when it cannot be loaded, or lacks what it must have
 */
export async function loadRails(rails: string): Promise<Rails> {
  const imported = importModule(pathToFileURL(resolve(rails)).href).catch((error: unknown) => {
    throw new Error(`RAILS: ${rails} cannot be loaded (${(error as Error).message})`);
  });
  const module = (await imported) as { rails?: Rails };
  if (!module.rails) throw new Error(`RAILS: ${rails} exports no rails`);
  const missing = missingOf(module.rails);
  if (missing.length > 0) throw new Error(`RAILS: ${rails} has no ${missing.join(', ')}`);
  const [fault] = faultsOfProviders(module.rails.providers ?? []);
  if (fault !== undefined) throw new Error(`RAILS: ${rails}: ${fault}`);
  return module.rails;
}

/** The module is not compiled with the service, so what it lacks is reported at the start. */
function missingOf(rails: Rails): readonly string[] {
  const parts = rails as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return railsMethodList
    .filter(
      ({ part, name, isOptional }) => !isOptional && typeof parts[part]?.[name] !== 'function',
    )
    .map(({ full }) => full);
}

/** What the simulate path can do; production refuses every call (rules/sandbox#6). */
export const simulationsOf = ({
  config: { environment, pinPeppers },
  vault,
  clocks,
}: Pick<Service, 'config' | 'vault' | 'clocks'>): Simulations =>
  environment === 'sandbox' ? openSimulations({ pinPeppers, vault, clocks }) : {};

/** What a Tenant may try its code with; production has none of it. */
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
