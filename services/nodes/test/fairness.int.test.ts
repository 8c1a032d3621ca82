import { WriteMode } from '@catchment/contracts/ingest';
