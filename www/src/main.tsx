// The first picture, and then, when it is there, the workbench.

import { signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import "./style/index.css";
import { ready } from "./engine/engine";
import { Controls } from "./page/controls";
import { text } from "./page/preferences";
import { begin } from "./time/playing";
import { TimePanel } from "./time/panel";

const workbench = signal<ComponentType | undefined>(undefined);
const isReady = signal(false);
const failure = signal(false);

const TEXTS = {
  en: { loading: "Loading the editors…", failed: "The page could not load all of its parts. Reload it, please." },
  pt: { loading: "Carregando os editores…", failed: "A página não conseguiu carregar todas as suas partes. Recarregue-a, por favor." },
};

function Page() {
  const Workbench = workbench.value;
  if (failure.value) return <p class="card" role="alert">{text(TEXTS).failed}</p>;
  return (
    <>
      <section id="time" aria-labelledby="headline">{isReady.value ? <TimePanel /> : <div class="card picture waiting" />}</section>
      {Workbench === undefined ? <p class="note" role="status">{text(TEXTS).loading}</p> : <Workbench />}
    </>
  );
}

function into(id: string, component: ComponentType): void {
  const Component = component;
  const element = document.getElementById(id);
  if (element !== null) render(<Component />, element);
}

into("controls", Controls);
into("page", Page);

try {
  await ready;
  isReady.value = true;
  performance.mark("interactive");
  begin();
  workbench.value = (await import("./workbench")).Workbench;
} catch (problem) {
  failure.value = true;
  throw problem;
}
