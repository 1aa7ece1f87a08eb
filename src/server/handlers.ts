/** The list of slices: what each answers. A slice adds its line here and its calls in the contract's list. */
import { accessHandlers, type Sessions } from './access/access.ts'
import type { Config } from './config.ts'
import type { Handler } from './kernel/handler.ts'
import type { RunningServices } from './services.ts'

export interface SliceParts {
  readonly sessions: Sessions
  readonly config: Config
  readonly services: RunningServices
}

export function sliceHandlers({ sessions, config }: SliceParts): Handler[] {
  return [...accessHandlers(sessions, { passwordLengthMin: config.passwordMinLength })]
}
