// Writes a report of made-up results for the browser to show: write_report one|two|bare FILE.
#include <cstdio>
#include <exception>
#include <string>

#include "bench/report.h"
#include "report_samples.h"

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const std::string which = argv[1];
  std::vector<tamis::bench::Result> results;
  if (which == "bare") {
    results.resize(1);
  } else {
    results.push_back(
        tamis::testing::SampleResult("Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz", 1));
  }
  if (which == "two") {
    results.push_back(tamis::testing::SampleResult("AMD EPYC 9654 96-Core Processor", 1.35));
    results.back().machine.noise = 0.081;
  }
  tamis::bench::WriteReport(results, argv[2]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
