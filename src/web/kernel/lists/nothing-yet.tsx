import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Can, type Does } from '../permissions.tsx'

export interface NothingYetProps {
  /** As within a sentence: 'billable account' and 'billable accounts'. */
  readonly label: string
  readonly labels: string
  /** What the first record needs. */
  readonly hint?: string | undefined
  readonly addNew?: { href: string; may: Does } | undefined
  readonly importHref?: string | undefined
}

/** A list without any record: names the next act, and offers it to those who may do it. */
export function NothingYet({ label, labels, hint, addNew, importHref }: NothingYetProps) {
  return (
    <EmptyState
      title={`No ${labels} yet`}
      actions={
        addNew && (
          <Can do={addNew.may}>
            <ButtonLink href={addNew.href} kind="primary">
              Add the first {label}
            </ButtonLink>
            {importHref && <ButtonLink href={importHref}>Take them from a file</ButtonLink>}
          </Can>
        )
      }
    >
      {hint}
    </EmptyState>
  )
}
