import { useState } from 'react'
import styles from './Avatar.module.css'

interface AvatarProps {
  name: string
  /** The address of a picture; without one, or while it cannot be loaded, the initials stand for it. */
  picture?: string | null | undefined
  /** In pixels. */
  size?: number
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => Array.from(word ?? '')[0] ?? '')
  return letters.join('').toUpperCase()
}

/** A person's picture. Their name stands beside it, so it says nothing to a screen reader. */
export function Avatar({ name, picture, size = 24 }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const isShown = picture && picture !== broken
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden>
      {isShown ? <img src={picture} alt="" onError={() => setBroken(picture)} /> : initialsOf(name)}
    </span>
  )
}

/** A name with its picture before it. */
export const NamedAvatar = (person: AvatarProps) => (
  <span className={styles.named}>
    <Avatar {...person} />
    <span className={styles.name}>{person.name}</span>
  </span>
)
