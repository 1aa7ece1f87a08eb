/** The form of a bill: account, head, lines, charges, and the copy of the paper beside them. It opens no dialogs. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type FocusEvent, type ReactNode } from 'react'
import { Plus } from 'lucide-react'
import type { PaneDocument } from '../document-pane/document-pane.tsx'
import { ownMessages } from '../kernel/notices/messages.ts'
import { useIdle } from '../kernel/use-idle.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { AccountCharges, ChargesBalance } from './account-charges.tsx'
import type { Proposals } from './apply-reading.ts'
import billEntry from './bill-entry.module.css'
import styles from './bill-form.module.css'
import { lockReason } from './bill-words.ts'
import { FileCopies } from './file-copies.tsx'
import { FindingList } from './finding-list.tsx'
import { FormPlaceProvider, FormValuesProvider, locksOf, type FormPlace } from './form-context.ts'
import { FormFoot } from './form-foot.tsx'
import { onFormKey, onFormPaste } from './form-keys.ts'
import { FurtherFields, HeaderFields } from './header-fields.tsx'
import { LineInPlace } from './line-place.tsx'
import { LinkedLines } from './linked-lines.tsx'
import { useShownCopy } from './shown-copy.tsx'
import { emptyLine, newLine } from './starting-values.ts'
import { useBillForm, type BillFormSource, type BillFormState } from './use-bill-form.ts'

const BillConflictPanel = lazy(() => import('./bill-conflict.tsx').then((module) => ({ default: module.BillConflictPanel })))

export interface BillFormProps extends BillFormSource {
  /** The account, above the head. */
  readonly account: ReactNode
  /** The inbox document that the bill is entered from. */
  readonly document?: PaneDocument | undefined
}

export function BillForm({ account, document, ...source }: BillFormProps) {
  const ref = useRef<HTMLFormElement>(null)
  const form = useBillForm(source, ref)
  const [here, setHere] = useState<string | null>(null)
  const isNew = source.stored === null
  // The account was chosen, so the next field to type into is the date.
  useEffect(() => {
    if (isNew) ref.current?.querySelector<HTMLElement>('[name="date"]')?.focus()
  }, [isNew])
  const { place, reason } = useFormPlaceOf(form)
  // Global shortcuts, because the pressed button may be gone, and the focus with it; saving by key works all the same.
  useShortcuts([
    { keys: 'mod+enter', label: 'Save', group: 'Bill form', whileTyping: true, run: () => form.save(false) },
    { keys: 'mod+shift+enter', label: 'Save and next', group: 'Bill form', whileTyping: true, run: () => form.save(isNew) },
  ])
  const copy = useShownCopy(form, document)
  const side = copy.side({ proposals: form.proposals, here })
  return (
    <FormPlaceProvider value={place}>
      {form.restored && (
        <div className={styles.restored} role="status">
          {ownMessages.draft_restored}
          <Button small kind="quiet" onClick={form.discard}>
            Discard it
          </Button>
        </div>
      )}
      {form.outdated && (
        <div className={styles.restored} role="status">
          Somebody has saved this bill since you opened it.
          <Button small kind="quiet" onClick={form.lookAtTheirs}>
            See what changed
          </Button>
        </div>
      )}
      {form.conflict && (
        <Suspense>
          <BillConflictPanel form={form} />
        </Suspense>
      )}
      <div className={cx(styles.split, side !== null && !copy.undocked && styles.beside)}>
        <form
          ref={ref}
          noValidate
          aria-label="Bill form"
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            form.save(false)
          }}
          onBlur={(event) => !isSubmit(event) && form.check()}
          onFocus={(event) => setHere(readAt(event.target, form.proposals))}
          onKeyDown={(event) => onFormKey(event, form)}
          onPaste={onFormPaste}
        >
          {/* Placed outside the lines, whose every field would search through it at each key otherwise. */}
          <FormValuesProvider value={form.values}>{account}</FormValuesProvider>
          {reason !== null && (
            <p className={styles.locked} role="note">
              {reason}
            </p>
          )}
          {form.errors['base'] && (
            <p role="alert" className={billEntry.problem}>
              {form.errors['base']}
            </p>
          )}
          <FormValuesProvider value={form.values}>
            <FileCopies shown={copy.shown} onShow={copy.show} onChosen={copy.keep} />
            <HeaderFields />
            <FurtherFields open={hasFurther(form)} />
          </FormValuesProvider>
          <FindingList lineKey={null} />
          <Lines form={form} />
          <div className={styles.extras}>
            <LineAdder form={form} locked={place.locks('lines.new._destroy') !== null} />
            <FormValuesProvider value={form.values}>
              <AccountCharges />
              <LinkedLines />
              <ChargesBalance />
            </FormValuesProvider>
          </div>
          <FormFoot form={form} />
        </form>
        {side !== null && <Suspense fallback={<div className={styles.document} />}>{side}</Suspense>}
      </div>
    </FormPlaceProvider>
  )
}

/** Returns the same object until one of its parts changes, so that a key rerenders only components that show a typed value. */
function useFormPlaceOf(form: BillFormState): { place: FormPlace; reason: string | null } {
  const { entry, base, errors, findings, proposals, carried, stored, set } = form
  const { settled, linked } = form.values
  const reason = stored ? lockReason(stored) : null
  const locks = useMemo(() => locksOf(stored, reason, entry), [stored, reason, entry])
  const newLineOf = useCallback(
    (serviceId: number, key: string) => {
      const service = entry.services.find((one) => one.id === serviceId)
      return service ? newLine(key, service, entry) : emptyLine(key)
    },
    [entry],
  )
  const storedId = stored?.id ?? null
  const atRest = useIdle()
  const place = useMemo(
    () => ({ entry, base, errors, findings, proposals, carried, settled, linked, locks, storedId, atRest, newLineOf, set }),
    [entry, base, errors, findings, proposals, carried, settled, linked, locks, storedId, atRest, newLineOf, set],
  )
  return { place, reason }
}

function Lines({ form: { values, entry } }: { form: BillFormState }) {
  return (
    <section aria-label="Service lines" className={styles.lines}>
      {values.lines.map((line) => (
        <LineInPlace key={line.key} line={line} />
      ))}
      {entry.account.is_group_account && entry.account_type === 'BillableAccount' && (
        <p className={billEntry.quiet}>
          A group account has no meters of its own.{' '}
          <UiLink data-group-sheet href={`/clients/${entry.client_id}/group_accounts/${entry.account_id}/bills/new`} title="Alt+G">
            Enter this bill together with those of its subaccounts
          </UiLink>
        </p>
      )}
      {entry.services.length === 0 && values.lines.length === 0 && !entry.account.is_group_account && (
        <p role="alert" className={billEntry.banner}>
          <strong>ERROR</strong> This account has no service. A bill of it has no lines until the account gets one.
        </p>
      )}
    </section>
  )
}

function LineAdder({ form: { entry, set }, locked }: { form: BillFormState; locked: boolean }) {
  if (locked || entry.services.length === 0) return null
  const add = () => set((before) => ({ ...before, lines: [...before.lines, emptyLine(`x${crypto.randomUUID()}`)] }))
  return (
    <Button small kind="quiet" onClick={add}>
      <Plus size={14} aria-hidden="true" />
      Add line
    </Button>
  )
}

/** Returns the field's path if a value was read for it; only then does the document scroll to that place. */
function readAt(target: EventTarget, proposals: Proposals): string | null {
  const path = target instanceof HTMLElement ? target.closest('[data-path]')?.getAttribute('data-path') : undefined
  return path && path in proposals ? path : null
}

/** A check on blur would move Save away under the pointer that is about to press it; saving checks anyway. */
function isSubmit({ relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit'
}

function hasFurther({
  base: { fiscal_month, next_read_date, notes, qc, parked, rebill_adjustment, group_bill_id },
}: BillFormState): boolean {
  return Boolean(fiscal_month || next_read_date || notes || qc || parked || rebill_adjustment || group_bill_id !== null)
}
