import { useEffect, useState } from 'react'
import { whenIdle } from '../kernel/use-idle.ts'
import { same } from './same.ts'

/** The audits run this long (ms) after the last key, when the browser is idle, so that typing never waits for them. */
const AUDIT_PAUSE_MS = 200

/** Returns the findings for the form's values of a moment ago. `audit` must be a new function after each change; it loads the rules itself. */
export function useLiveFindings<Finding>(audit: () => Promise<readonly Finding[]>): readonly Finding[] {
  const [findings, setFindings] = useState<readonly Finding[]>([])
  useEffect(() => {
    let isOver = false
    let giveUp: () => void = () => undefined
    const run = async () => {
      const found = await audit()
      // Equal findings keep their identity, so nothing that shows them rerenders.
      if (!isOver) setFindings((before) => (same(before, found) ? before : found))
    }
    const timer = setTimeout(() => {
      // If the rules cannot be loaded, the form still works: the server audits too, and the next key tries again.
      giveUp = whenIdle(() => void run().catch(() => undefined))
    }, AUDIT_PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      giveUp()
    }
  }, [audit])
  return findings
}
