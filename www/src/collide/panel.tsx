// Collide: two producers side by side.

import { text } from "../page/preferences";
import { PLACES } from "../state";
import { Banner } from "./banner";
import { Fields } from "./fields";
import { Keys } from "./keys";
import { ProducerCard } from "./producer";
import { WORDS } from "./words";

export function CollidePanel() {
  const words = text(WORDS);
  return (
    <section id="collide" aria-labelledby="collide-title">
      <div class="intro">
        <h2 id="collide-title">{words.title}</h2>
        <p>{words.lead}</p>
      </div>
      <Banner />
      <div class="pair">{PLACES.map((place) => <ProducerCard key={place} place={place} />)}</div>
      <h3 class="sub">{words.fields}</h3>
      <Fields />
      <h3 class="sub">{words.keys}</h3>
      <Keys />
    </section>
  );
}
