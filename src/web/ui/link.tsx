import { createContext, createElement, use, type AnchorHTMLAttributes, type ComponentType, type ReactNode, type Ref } from 'react'

export type UiLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement> | undefined
}

/** The app hands its router's link to the kit here, for the kit knows no router; without it a link loads its page. */
export const LinkComponent = createContext<ComponentType<UiLinkProps>>(PlainLink)

/** A link inside the console. `href` is a path with its search text. */
export function UiLink(props: UiLinkProps) {
  return createElement(use(LinkComponent), props)
}

function PlainLink({ children, ...props }: UiLinkProps) {
  return <a {...props}>{children}</a>
}
