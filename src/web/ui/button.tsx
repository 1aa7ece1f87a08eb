import { useId, type AriaAttributes, type MouseEvent, type ReactNode, type Ref } from 'react'
import styles from './button.module.css'
import { cx } from './class-names.ts'
import { UiLink } from './link.tsx'

export type ButtonKind = 'primary' | 'default' | 'quiet' | 'danger'

export type ButtonProps = {
  children: ReactNode
  kind?: ButtonKind | undefined
  /** 24 px instead of the control height. */
  small?: boolean | undefined
  type?: 'button' | 'submit' | undefined
  /** Shows that the action is running and ignores further clicks. */
  busy?: boolean | undefined
  /** Why the button cannot be used now. Disables it and is shown beside it. */
  disabledReason?: string | undefined
  /** Shows the reason only to screen readers and as a tooltip (for dense toolbars). */
  reasonHidden?: boolean | undefined
  disabled?: boolean | undefined
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined
  ref?: Ref<HTMLButtonElement> | undefined
  id?: string | undefined
  title?: string | undefined
  form?: string | undefined
  tabIndex?: number | undefined
  /** Takes the focus when its dialog opens. */
  autoFocus?: boolean | undefined
  /** Id of the popover that the button opens and closes. */
  popoverTarget?: string | undefined
  className?: string | undefined
} & Pick<AriaAttributes, 'aria-label' | 'aria-expanded' | 'aria-haspopup' | 'aria-controls' | 'aria-pressed' | 'aria-describedby'>

/** A button of the kit. It stays focusable while disabled, so that its reason can be read. */
export function Button(props: ButtonProps) {
  const {
    children,
    kind = 'default',
    small,
    type = 'button',
    busy,
    disabledReason,
    reasonHidden,
    disabled,
    onClick,
    className,
    autoFocus,
    ...rest
  } = props
  const reasonId = useId()
  const off = Boolean(disabled || busy || disabledReason)
  const button = (
    <button
      {...rest}
      type={type}
      data-autofocus={autoFocus || undefined}
      className={cx(styles.button, kindClass(kind), small && styles.small, className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      title={disabledReason && reasonHidden ? disabledReason : rest.title}
      onClick={(event) => {
        if (off) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
  if (!disabledReason) return button
  return (
    <span className={styles.withReason}>
      {button}
      <span id={reasonId} className={reasonHidden ? 'sr-only' : styles.reason}>
        {disabledReason}
      </span>
    </span>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'children'> & { label: string; icon: ReactNode }

/** A square button with an icon; the label is its name and its tooltip. */
export function IconButton({ label, icon, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Button {...rest} kind={kind} className={cx(styles.icon, className)} aria-label={label} title={rest.title ?? label}>
      {icon}
    </Button>
  )
}

export type ButtonLinkProps = {
  href: string
  children: ReactNode
  kind?: ButtonKind | undefined
  small?: boolean | undefined
  /** Its key, shown when the pointer rests on it. */
  title?: string | undefined
  /** What happens besides; the link still opens its page. */
  onClick?: (() => void) | undefined
}

/** A link that looks like a button. */
export function ButtonLink({ href, children, kind = 'default', small, title, onClick }: ButtonLinkProps) {
  return (
    <UiLink href={href} title={title} onClick={onClick} className={cx(styles.button, kindClass(kind), small && styles.small)}>
      {children}
    </UiLink>
  )
}

function kindClass(kind: ButtonKind): string | undefined {
  return kind === 'default' ? undefined : styles[kind]
}
