/** What the audits say of the bill or of one line, in its place. */
import { besideThePath } from './field-steps.ts'
import { FindingItems } from './finding-items.tsx'
import { useFormPlace } from './form-context.ts'

/** `lineKey` null is the bill's own. */
export function FindingList({ lineKey }: { lineKey: string | null }) {
  const { findings } = useFormPlace()
  const own = findings.filter((finding) => finding.lineKey === lineKey)
  return (
    <div role="status" aria-label={lineKey === null ? 'Findings of the bill' : 'Findings of the line'} {...besideThePath}>
      {own.length > 0 && <FindingItems findings={own} />}
    </div>
  )
}
