// The package for CommonJS under moduleResolution node16, which may import only the types of a module.
import type * as client from './index.js' with { 'resolution-mode': 'import' };

export type * from './index.js' with { 'resolution-mode': 'import' };
export declare const createClient: typeof client.createClient;
export declare const etagOf: typeof client.etagOf;
export declare const inputOf: typeof client.inputOf;
export declare const TooManyWithdrawals: typeof client.TooManyWithdrawals;
export type TooManyWithdrawals = client.TooManyWithdrawals;
export declare const VagaError: typeof client.VagaError;
export type VagaError = client.VagaError;
