import type { SpotMapProps } from './spots.ts'

/** Replaces the map, which needs a canvas, in every test (`test-setup.ts`): tests check its props and callbacks. */
export const SpotMap = ({ spots, chosen, onChoose, isFollowing, onLeave, track, aside }: SpotMapProps) => (
  <div role="application" aria-label={`${spots.length} spots, ${chosen ? 'one' : 'none'} chosen`}>
    {spots.map(({ id, name, tone, shape }) => (
      <button key={id} type="button" onClick={() => onChoose?.(id)}>{`Spot ${name} ${tone} ${shape}`}</button>
    ))}
    {isFollowing && (
      <button type="button" onClick={onLeave}>
        Drag the map
      </button>
    )}
    {track && <span>{`${track.length} points`}</span>}
    {aside}
  </div>
)
