import { badClients } from './bad-clients.ts';
import { strikeCitusNodes } from './citus-nodes.ts';
import { failOverToStandby } from './fail-over.ts';
import type { Fault } from './fault.ts';
import { fullDisk } from './full-disk.ts';
import { hostileCompany, hostileCompanyCitus, hostileCompanyEmbedded } from './hostile-company.ts';
import { killEmbedded, killService } from './kill-service.ts';
import { slowStandby } from './slow-standby.ts';
import { stopDatabase } from './stop-database.ts';
import { twoVersions } from './two-versions.ts';

export const faults: readonly Fault[] = [
  killService,
  stopDatabase,
  failOverToStandby,
  slowStandby,
  strikeCitusNodes,
  killEmbedded,
  badClients,
  fullDisk,
  hostileCompany,
  hostileCompanyEmbedded,
  hostileCompanyCitus,
  twoVersions,
];
