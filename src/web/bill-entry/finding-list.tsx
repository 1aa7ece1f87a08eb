/** The findings of the bill or of one line, in their place. */
import { lazy, Suspense } from 'react'
import { besideThePath } from './field-steps.ts'
import { useFormPlace } from './form-context.ts'

/** Loaded together with the audits after the form has rendered; before that there are no findings. */
const FindingItems = lazy(async () => ({ default: (await import('./finding-items.tsx')).FindingItems }))

/** The text of one finding, for a form that places its findings itself. */
export const LazyFindingWords = lazy(async () => ({ default: (await import('./finding-items.tsx')).FindingWords }))

/** A null `lineKey` means the bill's own findings. */
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
