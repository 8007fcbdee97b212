import { drive, type LoadPlan, type LoadReport } from './drive.ts';
import { type PacePlan, type PaceReport, pace } from './pace.ts';

/** The messages of the generator to its parent, in this order. */
export type GeneratorMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'done'; readonly report: LoadReport | PaceReport }
  | { readonly kind: 'failed'; readonly reason: string };

const tell = (message: GeneratorMessage): void => {
  process.send?.(message);
};

const failed = (error: unknown) => tell({ kind: 'failed', reason: String(error) });
const window = {
  onOpen: () => tell({ kind: 'opened' }),
  onClose: () => tell({ kind: 'closed' }),
};

async function run(plan: LoadPlan | PacePlan): Promise<void> {
  const report = 'perSecond' in plan ? await pace(plan) : await drive(plan, window);
  tell({ kind: 'done', report });
}

/** A separate process, so that its processor time can be measured. It ends with its parent. */
process.on('message', (plan: LoadPlan | PacePlan) => void run(plan).catch(failed));
process.on('disconnect', () => process.exit());
