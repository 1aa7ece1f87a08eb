/** The form of a bill: account, head, lines, charges, and the copy of the paper beside them. No dialog stands in its path. */
import { useEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { Plus } from 'lucide-react'
import type { BillReading } from '#contract/bill-reading.ts'
import type { PaneDocument } from '../../bill-scans/document-pane.tsx'
import { ownMessages } from '../../kernel/messages.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { UiLink } from '../../ui/link.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { AccountCharges, ChargesBalance } from './account-charges.tsx'
import type { Proposals } from './apply-reading.ts'
import { BillConflictPanel } from './bill-conflict.tsx'
import styles from './bill-form.module.css'
import { emptyLine, newLine, settledKey, type FileValues } from './bill-values.ts'
import { lockReason } from './bill-words.ts'
import { DocumentSide, StoredDocument } from './document-side.tsx'
import { stepByEnter } from './field-steps.ts'
import { FileCopies } from './file-copies.tsx'
import { FindingList } from './finding-list.tsx'
import { FormPlaceProvider, locksOf, type FormPlace } from './form-context.ts'
import { FurtherFields, HeaderFields } from './header-fields.tsx'
import { LineBlock } from './line-block.tsx'
import { LinkedLines } from './linked-lines.tsx'
import { useBillForm, type BillFormSource, type BillFormState } from './use-bill-form.ts'

export interface BillFormProps extends BillFormSource {
  /** The account, above the head. */
  readonly account: ReactNode
  /** A document that the bill is entered from, and what was read in it. */
  readonly scan?: { readonly document: PaneDocument; readonly reading: BillReading | null } | undefined
}

export function BillForm({ account, scan, ...source }: BillFormProps) {
  const ref = useRef<HTMLFormElement>(null)
  const form = useBillForm(source, ref, scan?.reading ?? null)
  const [here, setHere] = useState<string | null>(null)
  const isNew = source.stored === null
  // The account is chosen: the next thing to type is the date.
  useEffect(() => {
    if (isNew) ref.current?.querySelector<HTMLElement>('[name="date"]')?.focus()
  }, [isNew])
  const { place, reason } = useFormPlaceOf(form)
  // A button that was pressed may be gone, and the focus with it: saving by key works all the same.
  useShortcuts([
    { keys: 'mod+enter', label: 'Save', group: 'Bill form', whileTyping: true, run: () => form.save(false) },
    { keys: 'mod+shift+enter', label: 'Save and next', group: 'Bill form', whileTyping: true, run: () => form.save(isNew) },
  ])
  const copy = useShownCopy(form, scan?.document)
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
      <BillConflictPanel form={form} />
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
          onFocus={(event) => setHere(pathAt(event.target))}
          onKeyDown={(event) => onKey(event, form)}
        >
          {account}
          {reason !== null && (
            <p className={styles.locked} role="note">
              {reason}
            </p>
          )}
          {form.errors['base'] && (
            <p role="alert" className={styles.problem}>
              {form.errors['base']}
            </p>
          )}
          <FileCopies shown={copy.shown} onShow={copy.show} onChosen={copy.keep} />
          <HeaderFields />
          <FurtherFields open={hasFurther(form)} />
          <FindingList lineKey={null} />
          <Lines form={form} />
          <div className={styles.extras}>
            <LineAdder form={form} locked={place.locks('lines.new._destroy') !== null} />
            <AccountCharges />
            <LinkedLines />
            <ChargesBalance />
          </div>
          <Foot form={form} />
        </form>
        {side}
      </div>
    </FormPlaceProvider>
  )
}

function useFormPlaceOf(form: BillFormState): { place: FormPlace; reason: string | null } {
  const { entry, values, base, errors, findings, proposals, stored, set } = form
  const reason = stored ? lockReason(stored) : null
  const locks = useMemo(() => locksOf(stored, reason, entry), [stored, reason, entry])
  const newLineOf = (serviceId: number, key: string) => {
    const service = entry.services.find((one) => one.id === serviceId)
    return service ? newLine(key, service, entry) : emptyLine(key)
  }
  return { place: { entry, values, base, errors, findings, proposals, locks, storedId: stored?.id ?? null, newLineOf, set }, reason }
}

/** Which copy stands beside the form: what was chosen here, a stored one, or the scan that the bill is entered from. */
function useShownCopy(form: BillFormState, scan: PaneDocument | undefined) {
  const { stored, values, entry } = form
  const [chosen, setChosen] = useState<string | null>(null)
  const [contents, setContents] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [undocked, setUndocked] = useState(false)
  const file = values.files.find((one) => one.signed_id === chosen) ?? (scan ? undefined : values.files[0])
  const content = file && contents.get(file.signed_id)
  const position = stored?.files.find((one) => one.signed_id === file?.signed_id)?.position
  return {
    undocked,
    shown: file?.signed_id ?? null,
    show: (one: FileValues) => setChosen(one.signed_id),
    keep: (one: FileValues, blob: Blob) => {
      setContents((before) => new Map([...before, [one.signed_id, blob]]))
      setChosen(one.signed_id)
    },
    side: (props: { proposals: Proposals; here: string | null }) => {
      const shared = { ...props, onUndock: setUndocked }
      if (file && content)
        return (
          <DocumentSide
            {...shared}
            document={{ key: file.signed_id, name: file.filename, contentType: file.content_type, source: content }}
          />
        )
      if (file && stored && position !== undefined)
        return (
          <StoredDocument
            {...shared}
            clientId={entry.client_id}
            billId={stored.id}
            position={position}
            name={file.filename}
            contentType={file.content_type}
          />
        )
      return scan ? <DocumentSide {...shared} document={scan} /> : null
    },
  }
}

function Lines({ form }: { form: BillFormState }) {
  const { values, entry, set } = form
  const remove = (key: string) => set((before) => ({ ...before, lines: before.lines.filter((line) => line.key !== key) }))
  return (
    <section aria-label="Service lines" className={styles.lines}>
      {values.lines.map((line) => (
        <LineBlock key={line.key} line={line} onRemove={() => remove(line.key)} />
      ))}
      {entry.services.length === 0 && values.lines.length === 0 && (
        <p role="alert" className={styles.banner}>
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

/** Save stays in sight, beside what is still open; the reason for a repeated bill is given here and not in a dialog. */
function Foot({ form }: { form: BillFormState }) {
  const { entry, findings, values, duplicateOf, stored, busy, dirty, errors } = form
  const [reason, setReason] = useState('')
  const reasonField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (duplicateOf !== null) reasonField.current?.focus()
  }, [duplicateOf])
  const open = findings.filter((one) => one.severity !== 'I' && !(settledKey(one.code, one.lineKey) in values.settled)).length
  const wrong = Object.keys(errors).length
  return (
    <div className={styles.foot}>
      {duplicateOf !== null && (
        <div className={styles.duplicate} role="alert">
          <span>
            This bill is on record already:{' '}
            <UiLink href={`/clients/${entry.client_id}/bills/${duplicateOf}`} target="_blank">
              Open bill {duplicateOf}
            </UiLink>
            . Saving it all the same needs a reason.
          </span>
          <TextField ref={reasonField} label="Reason for a second one" value={reason} onChange={setReason} maxLength={1000} />
          <Button small disabled={reason.trim() === ''} busy={busy} onClick={() => form.save(false, reason.trim())}>
            Save all the same
          </Button>
        </div>
      )}
      <div className={styles.footLine}>
        <Button kind="primary" type="submit" busy={busy} title="Ctrl+Enter">
          Save
        </Button>
        {!stored && (
          <Button busy={busy} title="Ctrl+Shift+Enter" onClick={() => form.save(true)}>
            Save and next
          </Button>
        )}
        <span className={styles.footFacts} role="status">
          {wrong > 0 && <span className={styles.problem}>{wrong === 1 ? '1 field needs a look' : `${wrong} fields need a look`}</span>}
          {open > 0 && <span>{open === 1 ? '1 finding' : `${open} findings`}</span>}
          {dirty && <span className={styles.quiet}>Not saved yet</span>}
        </span>
        <span className={styles.keysHint}>
          <KeyHint keys="mod+enter" /> saves
          {!stored && (
            <>
              , <KeyHint keys="mod+shift+enter" /> and goes on
            </>
          )}
          , <KeyHint keys="mod+/" /> all keys
        </span>
      </div>
    </div>
  )
}

function onKey(event: KeyboardEvent<HTMLFormElement>, form: BillFormState): void {
  if (stepByEnter(event)) return
  const { target } = event
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    leaveAndReturn(target)
    form.save(event.shiftKey && form.stored === null)
  } else if (event.altKey && event.key === '=') {
    event.preventDefault()
    takeComputed(target)
  } else if (event.altKey && event.key.toLowerCase() === 'j') {
    event.preventDefault()
    nextFinding(event.currentTarget, target)
  }
}

/** What is typed shows in its own format before the form is checked. */
function leaveAndReturn(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement)) return
  target.blur()
  target.focus({ preventScroll: true })
}

function takeComputed(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement)) return
  const button = target.closest('[data-path]')?.querySelector<HTMLElement>('[data-take-back]')
  if (!button) return
  target.blur()
  button.click()
  target.focus()
}

/** From finding to finding, and back to the first after the last. */
function nextFinding(form: HTMLElement, target: EventTarget): void {
  const all = [...form.querySelectorAll<HTMLElement>('[data-settle]')]
  const here = all.findIndex((one) => one === target)
  all[(here + 1) % all.length]?.focus()
}

function pathAt(target: EventTarget): string | null {
  return target instanceof HTMLElement ? (target.closest('[data-path]')?.getAttribute('data-path') ?? null) : null
}

/** Whoever is about to press Save must not see it move away under the pointer; saving checks all the same. */
function isSubmit({ relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit'
}

function hasFurther({
  base: { fiscal_month, next_read_date, notes, qc, parked, rebill_adjustment, group_bill_id },
}: BillFormState): boolean {
  return Boolean(fiscal_month || next_read_date || notes || qc || parked || rebill_adjustment || group_bill_id !== null)
}
