/** An act that has no form: its answer is a notice, and everything that it changed is asked for again. */
import type { Result } from '#contract/kernel/call.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refreshStatements } from './refresh-statements.ts'

export async function settle(send: () => Promise<Result>): Promise<void> {
  try {
    resultNotice(await send())
  } catch (error) {
    problemNotice(error)
  } finally {
    refreshStatements()
  }
}
