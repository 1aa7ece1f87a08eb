/** Parts of the second factor that the profile and the sign-in page show. */
export { FactorSetup, type Begun } from './factor-setup.tsx'
export { RecoveryCodes } from './recovery-codes.tsx'
export { askPasskey, createPasskey, NoPasskey } from './passkey-browser.ts'
