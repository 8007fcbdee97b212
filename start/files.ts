import { openLetterFiles } from '../backoffice/letters/file.ts';
import { openSampleStatement } from '../service/flows/hosted/onboarding/sample_statement.ts';
import { openReportFiles } from '../service/resources/reconciliation/file.ts';
import { openStatementFiles } from '../service/resources/statements/file.ts';
import type { Service } from '../service/service.ts';

/** The files behind `/downloads`, by kind. */
export function openFiles(service: Service) {
  const filesOf = { pool: service.downloadPool, log: service.log };
  return {
    reconciliation: openReportFiles({ ...filesOf, standby: service.standby }),
    statement: openStatementFiles(filesOf),
    sample_statement: openSampleStatement(service),
    ...openLetterFiles({ ...filesOf, clocks: service.clocks }),
  };
}
