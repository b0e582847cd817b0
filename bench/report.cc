#include "bench/report.h"

#include <fmt/format.h>

#include "bench/report_page.h"
#include "bench/report_sections.h"
#include "bench/report_text.h"
#include "tamis/atomic_file.h"

namespace tamis::bench {
namespace {

// Without what every maker adds: "Intel(R) Xeon(R) Gold 6330 CPU @ 2.00GHz" is a Xeon Gold 6330.
std::string ShortName(std::string cpu) {
  for (const std::string noise : {"(R)", "(TM)", "(r)", "(tm)", " CPU", " Processor"}) {
    for (size_t at = cpu.find(noise); at != std::string::npos; at = cpu.find(noise)) {
      cpu.erase(at, noise.size());
    }
  }
  cpu = cpu.substr(0, cpu.find(" @ "));
  return cpu.empty() ? "unknown processor" : cpu;
}

std::vector<std::string> AllCells(const WorkRow& work) {
  return {work.system,
          work.variant,
          work.backend,
          work.target,
          work.op,
          work.key_kind,
          std::to_string(work.threads),
          Bytes(FilterBytes(work)),
          Count(work.filter_keys),
          NumberOrDash(work.bits_per_key),
          Percent(work.hit_share),
          Count(work.batch),
          work.pages,
          Number(work.mkeys_per_s),
          Number(1e3 / work.mkeys_per_s),
          PercentOrDash(work.fpr),
          PercentOrDash(work.fpr_theory),
          NumberOrDash(work.limit_mkeys_per_s),
          PercentOrDash(work.limit_share)};
}

}  // namespace

Scene::Scene(const std::vector<Result>& results) : results_(results) {
  for (const Row& row : SelectRows(results, IsTamis)) {
    engine_styles_.emplace(EngineName(*row.work), static_cast<int>(engine_styles_.size()));
  }
}

std::string Scene::Letter(size_t machine) const {
  return machine < 26 ? std::string(1, static_cast<char>('A' + machine))
                      : std::to_string(machine + 1);
}

std::string Scene::MachineName(size_t machine) const {
  const std::string name = ShortName(results_[machine].machine.cpu);
  return several() ? Letter(machine) + ": " + name : name;
}

int Scene::StyleOf(const Row& row) const {
  if (several()) return static_cast<int>(row.machine);
  const auto found = engine_styles_.find(EngineName(*row.work));
  return found == engine_styles_.end() ? -1 : found->second;
}

std::string Scene::NameOf(const Row& row) const {
  const std::string engine = EngineName(*row.work);
  return several() ? MachineName(row.machine) + ", " + engine : engine;
}

std::string Scene::BarText(const Row& row) const {
  return (several() ? Letter(row.machine) + " " : "") + Number(row.work->mkeys_per_s);
}

std::vector<Series> Scene::MachineLegend() const {
  std::vector<Series> legend;
  for (size_t i = 0; several() && i < results_.size(); ++i) {
    Series& series = legend.emplace_back();
    series.name = MachineName(i);
    series.style = static_cast<int>(i);
    series.kind = Series::Kind::kBars;
  }
  return legend;
}

std::vector<std::string> Scene::Heads(std::vector<std::string> heads) const {
  if (several()) heads.insert(heads.begin(), "Machine");
  return heads;
}

std::vector<std::string> Scene::Cells(size_t machine, std::vector<std::string> cells) const {
  if (several()) cells.insert(cells.begin(), Letter(machine));
  return cells;
}

std::string AllRowsSection(const Scene& scene) {
  Table table(
      scene.Heads({"System", "Variant", "Backend", "Target", "Op", "Keys", "#Threads", "#Filter",
                   "#Filter keys", "#Bits/key", "#Hits", "#Batch", "Pages", "#Mkeys/s", "#ns/key",
                   "#Rate of false positives", "#In theory", "#Limit, Mkeys/s", "#Of the limit"}));
  for (size_t machine = 0; machine < scene.results().size(); ++machine) {
    for (const WorkRow& work : scene.results()[machine].rows) {
      table.Add(scene.Cells(machine, AllCells(work)));
    }
  }
  return Section("rows", "Everything measured",
                 "Each row of result.json; medians of several repetitions.", "",
                 table.Html("Every row of the results"));
}

std::string RenderReport(const std::vector<Result>& results) {
  const Scene scene(results);
  std::string body = MachinesSection(scene);
  for (const auto section : {SizesSection, RivalsSection, ThreadsSection, RatesSection, KeysSection,
                             LimitsSection, AllRowsSection}) {
    body += section(scene);
  }
  return Page(results.size() == 1 ? "tamis on " + scene.MachineName(0)
                                  : fmt::format("tamis on {} machines", results.size()),
              body);
}

void WriteReport(const std::vector<Result>& results, const std::string& path) {
  AtomicFile file(path);
  file.Append(RenderReport(results));
  file.Commit(Durability::kRenamed);
}

}  // namespace tamis::bench
