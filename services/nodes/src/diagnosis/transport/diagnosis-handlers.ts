import { apiCaller, scopeOf } from '@catchment/access';
import { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import { slotsFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { document } from '../../transport/answers.ts';
import { diagnosisView } from '../domain/diagnosis-view.ts';
import { type DiagnosisDeps, getDiagnosis } from '../usecases/get-diagnosis.ts';

/** Diagnoses at a time: each asks two other services. */
const SLOTS = 8;

export const diagnosisHandlers = (deps: DiagnosisDeps): Handlers<typeof DiagnosisServiceService> =>
  admitted(
    DiagnosisServiceService,
    {
      getDiagnosis: async ({ nodeRef }, { caller }) => {
        const { source, diagnosis, nowMs } = await getDiagnosis(deps, scopeOf(apiCaller(caller)), nodeRef);
        return document(diagnosisView(source, diagnosis, nowMs));
      },
    } satisfies Handlers<typeof DiagnosisServiceService>,
    slotsFor('TOO_MANY_LISTS', SLOTS),
    { getDiagnosis: 1 },
  );
