/** What the audits say of the bill or of one line, in its place. */
import { lazy, Suspense } from 'react'
import { besideThePath } from './field-steps.ts'
import { useFormPlace } from './form-context.ts'

/** Comes with the audits, which are loaded once the form stands there: nothing is found before. */
const FindingItems = lazy(async () => ({ default: (await import('./finding-items.tsx')).FindingItems }))

/** The words of one finding, for a form that places its findings itself. */
export const LazyFindingWords = lazy(async () => ({ default: (await import('./finding-items.tsx')).FindingWords }))

/** `lineKey` null is the bill's own. */
export function FindingList({ lineKey }: { lineKey: string | null }) {
  const { findings } = useFormPlace()
  const own = findings.filter((finding) => finding.lineKey === lineKey)
  return (
    <div role="status" aria-label={lineKey === null ? 'Findings of the bill' : 'Findings of the line'} {...besideThePath}>
      {own.length > 0 && (
        <Suspense>
          <FindingItems findings={own} />
        </Suspense>
      )}
    </div>
  )
}
