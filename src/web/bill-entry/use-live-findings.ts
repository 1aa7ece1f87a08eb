import { useEffect, useState } from 'react'
import { whenIdle } from '../kernel/use-idle.ts'
import { same } from './same.ts'

/** The audits run this long (ms) after the last key, and then when the browser has nothing else to do: typing never waits for them. */
const AUDIT_PAUSE_MS = 200

/** What the audits say of what stood in the form a moment ago. `audit` is another one with each change, and loads the rules by itself. */
export function useLiveFindings<Finding>(audit: () => Promise<readonly Finding[]>): readonly Finding[] {
  const [findings, setFindings] = useState<readonly Finding[]>([])
  useEffect(() => {
    let isOver = false
    let giveUp: () => void = () => undefined
    const run = async () => {
      const found = await audit()
      // What is found again is the very same, and nothing that shows it is drawn anew.
      if (!isOver) setFindings((before) => (same(before, found) ? before : found))
    }
    const timer = setTimeout(() => {
      // Without its rules the form goes on as it is: the server audits all the same, and the next key tries again.
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
